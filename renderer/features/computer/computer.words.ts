import { defineWords } from '../../language/define-words.ts';

export const computerWords = defineWords(
  {
    title: 'This computer',
    description: 'How Castellan lives on the machine that it runs on.',
    sections: 'Sections',
    noSection: 'There is no such section',
    noSectionText: 'Choose one of the sections.',
    names: {
      general: 'Start and window',
      services: 'Windows Services',
      network: 'Network',
      data: 'Data folder',
      updates: 'Updates',
      diagnostics: 'Diagnostics',
    },
  },
  {
    title: 'Este computador',
    description: 'Como o Castellan vive na máquina em que roda.',
    sections: 'Seções',
    noSection: 'Essa seção não existe',
    noSectionText: 'Escolha uma das seções.',
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
