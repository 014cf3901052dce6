/** The window of a hosted sign-in reports on this channel that it is done. */
export const signedInChannelName = 'tributary-signed-in'
