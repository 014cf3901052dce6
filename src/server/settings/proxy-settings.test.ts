import { expect, it } from 'vitest'
import { mailProxy, readProxySettings } from './proxy-settings.ts'

const proxy = 'http://proxy.example:3128'

it.each([
  ['smtp://mail.harbour.example:587', '', proxy],
  ['smtp://localhost:25', '', null],
  ['smtp://127.0.0.1:25', '', null],
  ['smtp://mail.harbour.example', 'mail.harbour.example', null],
  ['smtp://MAIL.harbour.example', 'one.example, Mail.Harbour.example', null],
  ['smtp://mail.harbour.example', 'harbour.example', proxy],
  ['smtp://mail.harbour.example', '.harbour.example', null],
  ['smtp://mail.harbour.example', '*.harbour.example', null],
  ['smtp://mail.notharbour.example', '.harbour.example', proxy],
  ['smtp://mail.harbour.example:587', 'mail.harbour.example:587', null],
  ['smtp://mail.harbour.example:25', 'mail.harbour.example:587', proxy],
  ['smtp://mail.harbour.example', '*', null],
])('mail for %s with NO_PROXY=%j takes the proxy %s', (smtpUrl, noProxy, expected) => {
  expect(mailProxy(readProxySettings({ HTTPS_PROXY: proxy, NO_PROXY: noProxy }), smtpUrl)).toBe(expected)
})
