/** What runs the stack of a home, in words, where the services do. */
export const servicesHolder = 'the Windows Services';
