import { expect, test } from 'vitest'
import { searchedText } from './searched-text.ts'

test.each([
  ['https://dashboard.stripe.com/acct_1AbC/test/subscriptions/sub_1Oc7', 'sub_1Oc7'],
  ['https://dashboard.stripe.com/customers/cus_9?tab=invoices#top', 'cus_9'],
  ['https://app-eu1.hubspot.com/contacts/24180001/record/0-2/24180001000784/', '24180001000784'],
  ['https://tributary.example.com/customers/cus_9?invoice=in_5', 'cus_9'],
  ['https://birch.example/pricing', 'https://birch.example/pricing'],
  ['"sub_1Oc7",', 'sub_1Oc7'],
  ['(cus_9).', 'cus_9'],
  ['\u200bsub_1Oc7\ufeff', 'sub_1Oc7'],
  ['Birch Press <pay@birch.example>', 'pay@birch.example'],
  ['mailto:pay@birch.example', 'pay@birch.example'],
  ['<pay+x@birch.example>;', 'pay+x@birch.example'],
  ["d'arc@birch.example", "d'arc@birch.example"],
  ['#JVYLZQDE-0002', 'JVYLZQDE-0002'],
  ['Invoice jvylzqde-0002.', 'jvylzqde-0002'],
  ['Who paid JVYLZQDE-0002, and when?', 'JVYLZQDE-0002'],
  ['Gro\u0308ße', 'Größe'],
  ['Birch\u00a0 Press ', 'Birch Press'],
])('%s means %s', (pasted, meant) => expect(searchedText(pasted)).toBe(meant))

test.each([
  '"Care"',
  '<b>Priority</b>',
  '@home',
  'a@',
  "O'Sensor;",
  '👩‍💻 Studio',
  '100%',
  '_',
  'sub_1Oc7:2026-11-28T00:02:42Z:change',
  'JVYLZQDE-0002 JVYLZQDE-0003',
  '2026-11-28',
])('%s stays as it is', (text) => expect(searchedText(text)).toBe(text))
