/**
 * fast-check with a fixed seed, so that the result of a test depends on the code and not on chance. To look for new
 * cases, use another seed (PROPERTY_SEED) or more runs.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })

export { fc }
