import { defineWords } from '#contracts/kernel/words.ts';

export const helpPageWords = defineWords(
  {
    title: 'Help',
    tabs: { news: 'What is new', guides: 'Guides', api: 'API reference' },
    parts: 'Parts of this guide',
    onlyEnglish: 'The texts below are in English.',
    youHave: (version: string) => `You have version ${version}.`,
    since: (version: string) => `New since version ${version}`,
    earlier: 'Earlier changes',
    all: 'All changes',
    version: (version: string) => `Version ${version}`,
    showAll: (count: number) => `Show all ${count} changes`,
  },
  {
    title: 'Ajuda',
    tabs: { news: 'O que há de novo', guides: 'Guias', api: 'Referência da API' },
    parts: 'Partes deste guia',
    onlyEnglish: 'Os textos abaixo estão em inglês.',
    youHave: (version: string) => `Você tem a versão ${version}.`,
    since: (version: string) => `Novidades desde a versão ${version}`,
    earlier: 'Mudanças anteriores',
    all: 'Todas as mudanças',
    version: (version: string) => `Versão ${version}`,
    showAll: (count: number) => `Mostrar todas as ${count} mudanças`,
  },
);
