import { config } from 'zod'

// zod compiles schemas with `new Function`, which the content security policy refuses. It has to know before the
// first schema exists, so this is the first import of the entry.
config({ jitless: true })
