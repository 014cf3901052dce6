/** Where the page that HubSpot's consent ends on tells the wizard that it is done. */
export const hubspotChannelName = 'tributary-hubspot'
