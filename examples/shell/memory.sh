#!/usr/bin/env bash
# A memory in a shell script, with acervo and jq: loads, asks, corrects and exports.
#
#   make build && PATH=$PWD/bin:$PATH go run ./integration/server with -- examples/shell/memory.sh
#
# starts a Neo4j if NEO4J_URI names none. What somebody said goes to jq by --arg, and to
# acervo as an argument: it is never made part of a program's text.
set -euo pipefail
export ACERVO_OWNER=${ACERVO_OWNER:-ada} ACERVO_SESSION=shell

acervo migrate >/dev/null

# fact ENTITY TEXT SOURCE: a document with one fact
fact() { jq -nc --arg entity "$1" --arg text "$2" --arg source "$3" '{facts: [[$entity, $text, $source]]}'; }

echo "== load"
{
    echo '{"entities": [["Ada", "Person"], {"name": "Lighthouse", "type": "Project", "aliases": ["the ERP"]}],
           "relations": [["Ada", "Lighthouse", "owns"], ["Lighthouse", "Billing", "has_module"]]}'
    fact Lighthouse 'Goes live in "May"' user
    fact Lighthouse 'Is tested by $(three) people' mail
} | acervo upsert --json | jq -r '.documents[] | (.entities + .implied)[] | select(.created) | "\(.type): \(.label)"'

echo "== ask"
acervo turn 'How is the ERP doing?' --json | jq -r .context
acervo search people testing --json | jq -r '.hits[] | "\(.node.label): \(.facts[0].fact)"'

echo "== what is incomplete"
acervo pending --json | jq -r '.nodes[] | "\(.label) lacks \(.pending_fields | join(", "))"'

echo "== correct"
acervo correct-fact Lighthouse 'Goes live in "May"' 'Goes live in June' --source mail --json | jq -r '"\(.text) → \(.correction)"'
acervo facts Lighthouse --history --json | jq -r '.facts[] | .fact + if .valid_to then " (until it was corrected)" else "" end'

echo "== export"
acervo export | jq -rs 'group_by(keys[0])[] | "\(length) \(.[0] | keys[0])"'
