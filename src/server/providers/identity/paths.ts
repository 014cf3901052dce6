/** Below it the identity library answers. */
export const identityPath = '/api/identity'
/** Set by our own server from the connection, never taken from a caller. */
export const addressHeader = 'x-tributary-address'
