import { defineWords } from '../language/define-words.ts';

export const shellWords = defineWords(
  {
    skip: 'Skip to the content',
    menu: 'Menu',
    navigation: 'Pages',
    language: 'Language',
    theme: 'Colours',
    light: 'Light',
    dark: 'Dark',
    auto: 'As the system',
    account: 'Your account',
    signOut: 'Sign out',
    connecting: 'Connecting …',
    live: 'Live',
    away: 'The API does not answer. What you see may be out of date; it goes on by itself.',
    tryNow: 'Try now',
    otherVersion: 'Castellan was updated. Reload the page to get the panel that belongs to it.',
    clock: (difference: string) =>
      `The clock of this device is off by ${difference}. Times here follow the machine that Castellan runs on.`,
  },
  {
    skip: 'Pular para o conteúdo',
    menu: 'Menu',
    navigation: 'Páginas',
    language: 'Idioma',
    theme: 'Cores',
    light: 'Claro',
    dark: 'Escuro',
    auto: 'Como o sistema',
    account: 'Sua conta',
    signOut: 'Sair',
    connecting: 'Conectando …',
    live: 'Ao vivo',
    away: 'A API não responde. O que você vê pode estar desatualizado; tudo continua sozinho.',
    tryNow: 'Tentar agora',
    otherVersion: 'O Castellan foi atualizado. Recarregue a página para ter o painel que pertence a ele.',
    clock: (difference: string) =>
      `O relógio deste dispositivo está errado em ${difference}. Os horários aqui seguem a máquina onde o Castellan roda.`,
  },
);
