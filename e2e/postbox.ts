import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { lookAt } from '#test/leaks.ts'

/** A real SMTP server that stores accepted mails. */
export type Postbox = {
  url: string
  /** The mails so far, oldest first. */
  mails: { to: string; text: string }[]
  /** Addresses that the server rejects as unknown. */
  refused: Set<string>
  close(): Promise<void>
}

export async function openPostbox(): Promise<Postbox> {
  const mails: Postbox['mails'] = []
  const refused: Postbox['refused'] = new Set()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      refused.has(address) ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        const text = unfold(Buffer.concat(chunks).toString())
        lookAt('mail', to, text)
        mails.push({ to, text })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** The text before quoted-printable broke its lines. */
function unfold(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
