// How the tests start Chromium.
import { chromium } from 'playwright-core'

export async function open (width = 1400, height = 900) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    // a container's /dev/shm may be too small for a page
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  })
  const page = await browser.newPage({ viewport: { width, height } })
  page.setDefaultTimeout(120000) // a machine may be busy
  return { browser, page }
}
