import { config } from 'zod'

// zod compiles schemas with `new Function`, which the content security policy refuses: it must be told before
// the first schema is made, so this is the first import of the entry.
config({ jitless: true })
