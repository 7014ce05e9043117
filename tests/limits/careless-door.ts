import { createServer } from 'node:http'
import sharp from 'sharp'

/**
 * A bad server on purpose: it draws every request, all at once and however large, and waits for slow readers. A harness must
 * notice both.
 */
const BIG = Buffer.alloc(16 * 1024 * 1024)
createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end(request.url === '/big' ? BIG : 'well')
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const drawn = await sharp(Buffer.concat(parts), { limitInputPixels: false, failOn: 'none' }).raw().toBuffer()
  response.end(`drawn: ${drawn.length} bytes`)
}).listen(Number(process.env['PORT']), '127.0.0.1')
