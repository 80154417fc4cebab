import { defineWords } from '#contracts/kernel/words.ts';

export const mailWords = defineWords(
  {
    title: 'E-mails',
    which: 'Filter',
    states: { due: 'queued', sent: 'sent', given_up: 'failed' },
    caption: 'E-mails, newest first',
    head: {
      made: 'Created',
      to: 'To',
      subject: 'Subject',
      state: 'State',
      fault: 'Last error',
      act: 'Action',
    },
    empty: 'No matching e-mails. E-mails with keys and codes are kept for 30 days.',
    retry: 'Try again',
  },
  {
    title: 'E-mails',
    which: 'Filtro',
    states: { due: 'na fila', sent: 'enviado', given_up: 'falhou' },
    caption: 'E-mails, mais recentes primeiro',
    head: {
      made: 'Criado',
      to: 'Para',
      subject: 'Assunto',
      state: 'Estado',
      fault: 'Último erro',
      act: 'Ação',
    },
    empty: 'Nenhum e-mail encontrado. Os e-mails com chaves e códigos são guardados por 30 dias.',
    retry: 'Tentar de novo',
  },
);
