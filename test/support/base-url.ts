/** The public base URL of the Workers under test. */
export const BASE_URL = 'https://api.gateway.test'
