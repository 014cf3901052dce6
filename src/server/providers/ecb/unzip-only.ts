import { inflateRawSync } from 'node:zlib'

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

/** The bytes of the only file in a zip file. Throws if it is damaged, holds several files, or is too large unpacked. */
export function unzipOnly(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== endOfDirectory) end -= 1
  if (end < 0) throw new Error('the zip file is damaged')
  if (view.getUint16(end + 10, true) !== 1) throw new Error('the zip file has to hold one file')
  const entry = view.getUint32(end + 16, true)
  if (view.getUint32(entry, true) !== directoryEntry) throw new Error('the zip file is damaged')
  const method = view.getUint16(entry + 10, true)
  const size = view.getUint32(entry + 20, true)
  const local = view.getUint32(entry + 42, true)
  if (view.getUint32(local, true) !== localEntry) throw new Error('the zip file is damaged')
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const packed = bytes.subarray(start, start + size)
  if (method === 0) return packed
  if (method !== 8) throw new Error('the zip file is packed in an unknown way')
  return inflateRawSync(packed, { maxOutputLength: maxBytes })
}
