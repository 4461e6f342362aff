#!/usr/bin/env bash
# newest-image.sh TOOLS VERSION: the local image of a 2025 or later release of
# Neo4j, by the scripts in TOOLS that build the one of 5.26. Those releases need a
# newer Java, and lack the class that starts them, which is compiled here.
set -euo pipefail
tools=$1 version=$2
here=$(cd "$(dirname "$0")" && pwd)
JDK=${JDK:-}
for candidate in "$JDK" /usr/lib/jvm/*; do
    if [ -n "$candidate" ] && [ -x "$candidate/bin/jlink" ] && [ "$("$candidate/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/.*java.specification.version = //p')" -ge 21 ]; then
        found=$candidate
    fi
done
: "${found:?no JDK of release 21 or newer}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$tools/neo4j-image" "$work/tools"
chmod -R u+w "$work/tools"
cp "$here/../integration/provision/Start.java" "$work/tools/"
sed -i "/<artifactId>cypher-shell</d" "$work/tools/pom.xml" # these releases have none there
sed -i 's/org\.neo4j\.server\.CommunityEntryPoint/Start/' "$work/tools/entrypoint.sh"
# Once the jars are there, the class that starts the server is put among them.
sed -i 's|^step "java runtime"|mkdir -p "$WORK/start" \&\& "$JDK/bin/javac" -cp "$root/var/lib/neo4j/lib/*" -d "$WORK/start" Start.java \&\& "$JDK/bin/jar" --create --file "$root/var/lib/neo4j/lib/start.jar" -C "$WORK/start" .\nstep "java runtime"|' "$work/tools/build.sh"
export JDK=$found NEO4J_VERSION=$version WORK=${TMPDIR:-/tmp}/neo4j-image-$version
"$work/tools/build.sh"
