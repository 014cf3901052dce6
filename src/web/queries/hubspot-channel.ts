/** The page at the end of HubSpot's consent reports to the wizard on this channel. */
export const hubspotChannelName = 'tributary-hubspot'
