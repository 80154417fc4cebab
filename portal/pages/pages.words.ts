import { defineWords } from '#contracts/kernel/words.ts';

/** The texts around and between the pages of all features. */
export const pagesWords = defineWords(
  {
    skip: 'Skip to content',
    main: 'Main',
    signOut: 'Sign out',
    language: 'Language',
    refusedTitle: (title: string) => `Error: ${title}`,
    refused: 'Please check the following',
  },
  {
    skip: 'Ir para o conteúdo',
    main: 'Principal',
    signOut: 'Sair',
    language: 'Idioma',
    refusedTitle: (title: string) => `Erro: ${title}`,
    refused: 'Confira o seguinte',
  },
);
