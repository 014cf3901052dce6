/** Where the window of a hosted sign-in tells the page behind it that it is done. */
export const signedInChannelName = 'tributary-signed-in'
