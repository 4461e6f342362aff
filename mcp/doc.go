// Package mcp serves the memory of one owner to language models, by the Model
// Context Protocol.
//
// Whose memory it is, in which session, and whether it may be changed is fixed
// when the server is made: no tool has an argument for it, so that a model can't
// reach another owner's memory, whatever it is told.
//
//	server := mcp.NewServer(client, "sandy", &mcp.Options{Session: "chat-1"})
//	err := server.Run(ctx, &sdk.StdioTransport{})
//
// [NewHandler] serves several owners over HTTP, each by a token of their own.
//
// What a call gets wrong is a tool error, which says how to mend the call, never
// an error of the protocol; so is a database that can't be reached. The package
// sits on [acervo] only and stores nothing itself.
package mcp
