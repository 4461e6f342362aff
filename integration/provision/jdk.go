package provision

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// neededJava is the oldest Java that a release of Neo4j runs on.
func neededJava(version string) int {
	if strings.HasPrefix(version, "5.") {
		return 17
	}
	return 21
}

// javaMissing says what the Java way lacks, "" if nothing.
func javaMissing(version string) string {
	if _, err := exec.LookPath("mvn"); err != nil {
		return "Maven (mvn) isn't installed"
	}
	if _, err := findJava(neededJava(version)); err != nil {
		return err.Error()
	}
	return ""
}

// findJava finds a Java that is new enough: JAVA_HOME's, the path's, or one in
// the folders where systems install them.
func findJava(needed int) (string, error) {
	var candidates []string
	if home := os.Getenv("JAVA_HOME"); home != "" {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	if java, err := exec.LookPath("java"); err == nil {
		candidates = append(candidates, java)
	}
	for _, pattern := range []string{"/usr/lib/jvm/*/bin/java", "/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java"} {
		found, _ := filepath.Glob(pattern)
		candidates = append(candidates, found...)
	}
	newest := 0
	for _, java := range candidates {
		out, err := exec.Command(java, "-version").CombinedOutput()
		if err != nil {
			continue
		}
		major := javaMajor(string(out))
		if major >= needed {
			return java, nil
		}
		newest = max(newest, major)
	}
	if newest == 0 {
		return "", fmt.Errorf("no Java; %d or newer is needed", needed)
	}
	return "", fmt.Errorf("only Java %d; %d or newer is needed", newest, needed)
}

var javaVersion = regexp.MustCompile(`version "(\d+)`)

// javaMajor reads the major version from what java -version prints, 0 if there is none.
func javaMajor(text string) int {
	m := javaVersion.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
