#!/bin/sh
# Takes the graph library from the npm registry, pinned: the same release gives
# the same bytes, which page_test.go compares with their checksum.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent cytoscape@3.35.0 >/dev/null
tar xzf cytoscape-3.35.0.tgz
cp package/dist/cytoscape.min.js "$here/cytoscape.min.js"
cp package/LICENSE "$here/cytoscape.LICENSE"
