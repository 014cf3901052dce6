/**
 * Loaded before a process of the product: writes every connection that the process opens into a file. Socket files are left
 * out, because they lead to this machine alone.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { Socket } from 'node:net'

const file = process.env['NOTED_CONNECTIONS'] ?? ''

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket }
  socket.on('connectionAttempt', (address: string, port: number | undefined) => {
    if (port !== undefined) appendFileSync(file, `${address} ${port}\n`)
  })
  // A name that cannot be looked up never comes to an attempt.
  socket.on('lookup', (error: Error | null, address: string | undefined, _, host: string) => {
    if (error) appendFileSync(file, `${host} ${address ?? 'unknown'}\n`)
  })
})
