import { defineWords } from '#contracts/kernel/words.ts';

export const sessionsWords = defineWords(
  {
    title: 'Sessions',
    about: 'Where you are signed in. If you don’t recognize one of these, sign out everywhere.',
    kinds: { browser: 'Browser', program: 'Program' },
    current: 'This session',
    address: 'IP address',
    signedIn: 'Signed in',
    lastUsed: 'Last used',
    everywhere: 'Sign out everywhere',
    everywhereHelp:
      'Ends every session in browsers and programs, including this one. Codes already sent stop working.',
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown device',
  },
  {
    title: 'Sessões',
    about: 'Onde você está conectado. Se não reconhecer uma delas, saia de todos os lugares.',
    kinds: { browser: 'Navegador', program: 'Programa' },
    current: 'Esta sessão',
    address: 'Endereço IP',
    signedIn: 'Entrada',
    lastUsed: 'Último uso',
    everywhere: 'Sair de todos os lugares',
    everywhereHelp:
      'Encerra todas as sessões em navegadores e programas, inclusive esta. Os códigos já enviados deixam de valer.',
    device: (browser: string, system: string) => `${browser} no ${system}`,
    unknown: 'Dispositivo desconhecido',
  },
);
