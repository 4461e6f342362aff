package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed script.json
var script []byte

// scripted is a model that knows its answers beforehand.
type scripted []struct {
	Message string `json:"message"`
	// Answer is what the model says. Without one, it says what the memory gave it.
	Answer  string          `json:"answer"`
	Learned json.RawMessage `json:"learned"`
}

func newScripted() (scripted, error) {
	var s scripted
	if err := json.Unmarshal(script, &s); err != nil {
		return nil, fmt.Errorf("script: %w", err)
	}
	return s, nil
}

// Answer implements [Model].
func (s scripted) Answer(_ context.Context, known, message string) (string, error) {
	for _, line := range s {
		if line.Message == message && line.Answer != "" {
			return line.Answer, nil
		}
	}
	if known == "" {
		return "I know nothing about this.", nil
	}
	return known, nil
}

// Extract implements [Model].
func (s scripted) Extract(_ context.Context, _, message string) (string, error) {
	for _, line := range s {
		if line.Message == message {
			return string(line.Learned), nil
		}
	}
	return "", nil
}
