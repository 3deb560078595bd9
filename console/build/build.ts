// Builds the console into the folder that is named, each file beside its compressed forms. The service runs it when the
// console was not built from the sources as they are.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

// Whoever builds it, a test too, wants what people get.
process.env.NODE_ENV = 'production'
const COMPRESSIBLE = /\.(js|css|svg|json|html)$/

const [, , folder] = process.argv
if (!folder) throw new Error('Name the folder to build into.')
const outDir = resolve(folder)
await build({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
})
const files = await readdir(outDir, { recursive: true })
await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compress(join(outDir, file))))

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  // The best quality costs seconds at the first start and saves two in a hundred bytes.
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  await Promise.all([
    promisify(brotliCompress)(content, brotli).then((bytes) => writeFile(`${file}.br`, bytes)),
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ])
}
