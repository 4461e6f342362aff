#!/bin/sh
# Entry point of the stand-in. Understands the part of the official image's
# environment that tests use:
#   NEO4J_AUTH=none | neo4j/<password>      (NEO4J_AUTH_FILE: read it from a file)
#   NEO4J_<setting>=<value>                 "_" is ".", "__" is "_"
# NEO4J_PLUGINS, NEO4JLABS_PLUGINS, NEO4J_ACCEPT_LICENSE_AGREEMENT and
# NEO4J_apoc_* are accepted and ignored.
set -eu
export NEO4J_HOME=${NEO4J_HOME:-/var/lib/neo4j}
export NEO4J_CONF=$NEO4J_HOME/conf
conf=$NEO4J_CONF/neo4j.conf

if [ $# -gt 0 ] && [ "$1" != neo4j ]; then exec "$@"; fi

if [ -d /conf ]; then cp -r /conf/. "$NEO4J_CONF/"; fi

put() { # key value: replace or append one setting (a key given twice is an error to Neo4j)
    awk -v key="$1=" 'index($0, key) != 1' "$conf" > "$conf.new"
    printf '%s=%s\n' "$1" "$2" >> "$conf.new"
    mv "$conf.new" "$conf"
}

for name in $(env | sed -n 's/^\(NEO4J_[A-Za-z][A-Za-z0-9_]*\)=.*/\1/p'); do
    case $name in
    NEO4J_AUTH | NEO4J_AUTH_FILE | NEO4J_HOME | NEO4J_CONF | NEO4J_PLUGINS | NEO4J_DEBUG | \
        NEO4J_ACCEPT_LICENSE_AGREEMENT | NEO4J_EDITION | NEO4J_VERSION | NEO4J_MAIN | NEO4J_SHA256 | NEO4J_TARBALL | NEO4J_apoc_*) continue ;;
    esac
    eval "value=\$$name"
    put "$(echo "${name#NEO4J_}" | sed 's/__/\n/g; s/_/./g; s/\n/_/g')" "$value"
    unset "$name" # Neo4j's own tools would warn about it
done

if [ -n "${NEO4J_AUTH_FILE:-}" ]; then NEO4J_AUTH=$(cat "$NEO4J_AUTH_FILE"); fi
case ${NEO4J_AUTH:-} in
'') ;;
none) put dbms.security.auth_enabled false ;;
neo4j/neo4j)
    echo "Invalid value for password. It cannot be 'neo4j', which is the default." >&2
    exit 1
    ;;
neo4j/?*)
    if [ ! -d "$NEO4J_HOME/data/databases/system" ]; then
        neo4j-admin dbms set-initial-password "${NEO4J_AUTH#neo4j/}"
    fi
    ;;
*)
    echo "Invalid value for NEO4J_AUTH: must be none or neo4j/<password>" >&2
    exit 1
    ;;
esac
unset NEO4J_AUTH

setting() { sed -n "s/^$1=//p" "$conf" | tail -n 1; }
heap_min=$(setting 'server\.memory\.heap\.initial_size')
heap_max=$(setting 'server\.memory\.heap\.max_size')
classpath=$(cat "$NEO4J_HOME/classpath")
for jar in "$NEO4J_HOME"/plugins/*.jar; do
    if [ -f "$jar" ]; then classpath=$classpath:$jar; fi
done
# shellcheck disable=SC2046 # one word per option is wanted
exec java ${heap_min:+-Xms$heap_min} ${heap_max:+-Xmx$heap_max} \
    -XX:-OmitStackTraceInFastThrow -Dfile.encoding=UTF-8 \
    --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED \
    --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -Dlog4j2.disable.jmx=true \
    $(setting 'server\.jvm\.additional') \
    -cp "$classpath" "$NEO4J_MAIN" \
    --home-dir="$NEO4J_HOME" --config-dir="$NEO4J_CONF" --console-mode
