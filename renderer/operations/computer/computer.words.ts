import { defineWords } from '#contracts/kernel/words.ts';

export const computerWords = defineWords(
  {
    title: 'This computer',
    description: 'How Castellan runs on this machine.',
    sections: 'Sections',
    noSection: 'Section not found',
    noSectionText: 'Choose a section.',
    names: {
      general: 'Startup and window',
      services: 'Windows Services',
      network: 'Network',
      data: 'Data folder',
      updates: 'Updates',
      diagnostics: 'Diagnostics',
    },
  },
  {
    title: 'Este computador',
    description: 'Como o Castellan roda nesta máquina.',
    sections: 'Seções',
    noSection: 'Seção não encontrada',
    noSectionText: 'Escolha uma seção.',
    names: {
      general: 'Início e janela',
      services: 'Serviços do Windows',
      network: 'Rede',
      data: 'Pasta de dados',
      updates: 'Atualizações',
      diagnostics: 'Diagnóstico',
    },
  },
);
