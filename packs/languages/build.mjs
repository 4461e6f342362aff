// Writes the items of the languages pack: what GitHub Linguist knows of
// programming, markup, data and prose languages.
//
// usage: node build.mjs LINGUIST_FOLDER IDS_PROGRAM OUT_DIR
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [linguist, program, out] = process.argv.slice(2)
const kinds = { programming: 'lenguaje de programación', markup: 'lenguaje de marcado', data: 'formato de datos', prose: 'prosa' }

const languages = []
for (const file of readdirSync(join(linguist, 'data')).filter((f) => f.endsWith('.js')).sort()) {
  languages.push((await import(resolve(linguist, 'data', file))).default)
}
const names = [...new Set(languages.flatMap((l) => [l.name, ...(l.aliases ?? [])]))]
const ids = new Map(spawnSync(program, { input: names.join('\n') + '\n', encoding: 'utf8' }).stdout.split('\n').slice(0, names.length).map((id, i) => [names[i], id]))

// An id that two languages would have goes to the first by name.
const byID = new Map()
for (const l of languages.sort((a, b) => (a.name < b.name ? -1 : 1))) {
  const id = ids.get(l.name)
  if (id && !byID.has(id)) byID.set(id, l)
}
const byName = new Map([...byID].map(([id, l]) => [l.name, id]))

// An alias counts if it means one language only.
const means = new Map()
for (const [id, l] of byID) {
  for (const a of l.aliases ?? []) means.set(ids.get(a), (means.get(ids.get(a)) ?? new Set()).add(id))
}
const items = []
for (const [id, l] of [...byID].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const attributes = { tipo: kinds[l.type] }
  if (l.group) attributes.familia = l.group
  if (l.extensions?.length) attributes.extensiones = l.extensions
  const entity = { id, name: l.name, type: 'Tecnologia', attributes }
  const aliases = (l.aliases ?? []).filter((a) => {
    const i = ids.get(a)
    return i && i !== id && !byID.has(i) && means.get(i).size === 1 && i.length > 1
  })
  if (aliases.length) entity.aliases = aliases
  items.push({ entity })
}
for (const [id, l] of [...byID].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const family = byName.get(l.group)
  if (family && family !== id) items.push({ relation: { from: id, type: 'PART_OF', to: family } })
}
const manifest = {
  name: 'languages', version: '1.0.0', licence: 'MIT',
  attribution: 'Languages by GitHub Linguist, Copyright (c) 2017 GitHub, Inc. (MIT), through linguist-languages, Copyright (c) Ika (MIT).',
  source: 'linguist-languages 9.5.0 (npm)',
  ontology: {
    types: [{ name: 'Tecnologia', attributes: ['tipo', 'familia', 'extensiones'], layer_default: 'UNIVERSAL' }],
    relations: [{ name: 'PART_OF' }],
  },
}
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'pack.json'), JSON.stringify(manifest, null, 2) + '\n')
writeFileSync(join(out, 'items.jsonl'), items.map((i) => JSON.stringify(i)).join('\n') + '\n')
