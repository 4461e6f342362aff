// Opens a page that acervo graph wrote, searches, and opens an entity. Any request
// but that of the file itself is a fault.
//
// usage: node page.mjs FILE_URL SEARCH LABEL SCREENSHOT
import { open } from './launch.mjs'

const [url, text, label, screenshot] = process.argv.slice(2)
const { browser, page } = await open()
const faults = []
page.on('request', (r) => { if (r.url() !== url) faults.push('requests ' + r.url()) })
page.on('pageerror', (e) => faults.push(String(e)))
page.on('console', (m) => { if (m.type() === 'error') faults.push(m.text()) })
try {
  await page.goto(url)
  await page.waitForFunction(() => window.acervo)
  const started = Date.now()
  const shown = await page.evaluate(() => window.acervo.cy.nodes().map((n) => ({ label: n.data('node').label, fill: n.style('background-color'), border: n.style('border-color'), size: n.width(), activation: n.data('node').activation })))
  await page.fill('#search', text)
  const found = await page.textContent('#found')
  // A click where the entity is drawn.
  const place = await page.evaluate((label) => {
    const n = window.acervo.cy.nodes().filter((n) => n.data('node').label === label)
    window.acervo.cy.center(n)
    const box = document.getElementById('graph').getBoundingClientRect(), p = n.renderedPosition()
    return { x: box.x + p.x, y: box.y + p.y }
  }, label)
  await page.mouse.click(place.x, place.y)
  const details = await page.innerText('#details')
  const note = await page.innerText('#note')
  if (screenshot) {
    await page.fill('#search', '')
    await page.evaluate(() => window.acervo.cy.fit(undefined, 40))
    await page.screenshot({ path: screenshot })
  }
  console.log(JSON.stringify({ shown, found, details, note, faults, ms: Date.now() - started }))
} finally {
  await browser.close()
}
