/** The holder's name, for people, where the services run the stack. */
export const servicesHolder = 'the Windows Services';
