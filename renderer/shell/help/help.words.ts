import { defineWords } from '#contracts/kernel/words.ts';

export const helpWords = defineWords(
  {
    of: (page: string) => `Help: ${page}`,
    close: 'Close the help',
    tasks: 'What people do here',
    terms: 'Terms used here',
    more: 'Read more',
    guides: {
      gameAgents: 'Game Agents on their machines',
      health: 'Health and metrics',
      outsideShops: 'External shops',
      problems: 'Every problem code',
      glossary: 'Glossary of all terms',
    },
    english: 'in English',
    news: 'What is new',
    isNew: 'new',
    updated: 'Castellan was updated: see what is new',
    api: 'API reference',
    shortcuts: 'Keyboard shortcuts',
  },
  {
    of: (page: string) => `Ajuda: ${page}`,
    close: 'Fechar a ajuda',
    tasks: 'O que se faz aqui',
    terms: 'Termos usados aqui',
    more: 'Leia mais',
    guides: {
      gameAgents: 'Agentes de jogo nas suas máquinas',
      health: 'Saúde e métricas',
      outsideShops: 'Lojas externas',
      problems: 'Todos os códigos de problema',
      glossary: 'Glossário de todos os termos',
    },
    english: 'em inglês',
    news: 'O que há de novo',
    isNew: 'novo',
    updated: 'O Castellan foi atualizado: veja o que há de novo',
    api: 'Referência da API',
    shortcuts: 'Atalhos de teclado',
  },
);
