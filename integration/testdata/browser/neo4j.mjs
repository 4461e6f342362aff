// Opens Neo4j Browser as a user would after make up, and prints what it draws.
//
// usage: node neo4j.mjs BROWSER_URL BOLT_PORT PASSWORD SCREENSHOT
import { open } from './launch.mjs'

const [url, bolt, password, screenshot] = process.argv.slice(2)
const { browser, page } = await open()
try {
  await page.goto(`${url}?dbms=neo4j://neo4j@localhost:${bolt}`)
  await page.locator('input[type=password]').first().fill(password)
  await page.keyboard.press('Enter')
  const drawn = (count) => page.waitForFunction((n) => document.querySelectorAll('svg .node').length >= n, count)
  await drawn(5)
  const nodes = () => page.evaluate(() => [...document.querySelectorAll('article')].slice(0, 1).flatMap((frame) => [...frame.querySelectorAll('svg .node')]).map((g) => ({
    caption: g.textContent.trim(),
    fill: [...g.querySelectorAll('circle')].map((c) => getComputedStyle(c)).filter((s) => s.fill !== 'none').map((s) => s.fill)[0],
    border: [...g.querySelectorAll('circle')].map((c) => getComputedStyle(c)).filter((s) => s.fill !== 'none').map((s) => s.stroke)[0],
    radius: Number([...g.querySelectorAll('circle')].filter((c) => getComputedStyle(c).fill !== 'none').map((c) => c.getAttribute('r'))[0])
  })))
  const first = await nodes()
  const frames = await page.evaluate(() => document.querySelectorAll('article').length)
  await page.getByText('Next', { exact: true }).click()
  await page.getByText('What is hot and warm in a session').waitFor()
  await page.locator('.runnable:visible').first().click() // into the editor
  await page.keyboard.press('Control+Enter')
  await page.waitForFunction((n) => document.querySelectorAll('article').length > n, frames)
  await page.waitForTimeout(3000) // the layout comes to rest
  const hot = await nodes()
  if (screenshot) await page.screenshot({ path: screenshot })
  const relations = await page.evaluate(() => [...document.querySelectorAll('svg .relationship')].map((r) => r.textContent.trim()))
  console.log(JSON.stringify({ first, hot, relations }))
} finally {
  await browser.close()
}
