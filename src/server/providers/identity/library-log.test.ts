import { expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { libraryLog } from './library-log.ts'

/** What our log says of one message of the library: level, text, and the error's message. */
function told(...message: Parameters<ReturnType<typeof libraryLog>['log']>): unknown[] | undefined {
  const lines: string[] = []
  libraryLog(createLog({ level: 'debug', name: 'test' }, { write: (line) => lines.push(line) })).log(
    ...message,
  )
  const [line] = lines
  if (line === undefined) return undefined
  const { level, msg, error } = JSON.parse(line)
  return [level, msg, error?.message]
}

const [warn, error] = [40, 50]

type Message = Parameters<typeof told>
const failed: Message = ['error', 'Hook failed', new Error('no database')]
const refused: Message = ['error', 'Invalid origin: https://stranger.example']

it.each<[string, Message, unknown[]]>([
  ['what failed as an error', failed, [error, 'identity: Hook failed', 'no database']],
  ['an error alone', ['error', new Error('no row')], [error, 'identity: no row', 'no row']],
  ['a refused caller as a warning', refused, [warn, `identity: ${refused[1]}`, undefined]],
  ['a warning', ['warn', 'No secret'], [warn, 'identity: No secret', undefined]],
  [
    'the beginning of a long text',
    ['error', 'x'.repeat(500)],
    [warn, `identity: ${'x'.repeat(200)}`, undefined],
  ],
])('tells %s', (_, message, line) => {
  expect(told(...message)).toEqual(line)
})

it('leaves out what names people', () => {
  expect(told('info', 'Sent to kim@harbour.example')).toBeUndefined()
})
