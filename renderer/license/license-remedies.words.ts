import { defineWords } from '#contracts/kernel/words.ts';

/** The remedies for a license that does not work, as buttons and the texts next to them. */
export const licenseRemedyWords = defineWords(
  {
    acts: {
      transfer: 'Transfer to this machine',
      renew: 'Renew',
      contact: 'Contact the vendor …',
      'find-license': 'Find my license',
      'correct-key': 'Correct key',
      'enter-key': 'Enter license key',
      'check-clock': 'Check clock',
      'try-again': 'Try again',
    },
    wait: (seconds: number) => `Wait ${seconds} s`,
    findText:
      'Sign in with the e-mail address of your purchase to see your licenses and where they are used.',
    transferText:
      'Sign in with the e-mail address of your purchase. This activates the license here and deactivates it on the other machine.',
    vendorSays: 'The vendor says',
    areaOpened:
      'The customer area has opened in your browser. This page continues automatically once the license is active.',
    areaNotOpened: 'The customer area could not be opened. Its address is in your purchase e-mail.',
    contactTitle: 'Contact the vendor',
    contactText: 'Reply to your purchase e-mail and include these details:',
    details: { reason: 'Reason', license: 'License number', hwid: 'Hardware ID (HWID)' },
    copyDetails: 'Copy details',
    openArea: 'Open customer area',
    clockTitle: 'Check the clock',
    clockText:
      'Set the date, time and time zone of this computer, preferably automatically. Then check again.',
    clockOpened: 'The clock settings have opened.',
    clockLocal: 'This computer',
    clockKnown: 'Latest time known from the portal',
    checkAgain: 'Check again',
    unknown: 'Unknown',
  },
  {
    acts: {
      transfer: 'Transferir para esta máquina',
      renew: 'Renovar',
      contact: 'Falar com o vendedor …',
      'find-license': 'Encontrar minha licença',
      'correct-key': 'Corrigir chave',
      'enter-key': 'Digitar chave de licença',
      'check-clock': 'Conferir relógio',
      'try-again': 'Tentar de novo',
    },
    wait: (seconds: number) => `Espere ${seconds} s`,
    findText: 'Entre com o e-mail da sua compra para ver suas licenças e onde são usadas.',
    transferText:
      'Entre com o e-mail da sua compra. Isto ativa a licença aqui e a desativa na outra máquina.',
    vendorSays: 'O vendedor diz',
    areaOpened:
      'A área do cliente foi aberta no seu navegador. Esta página continua automaticamente quando a licença estiver ativa.',
    areaNotOpened: 'Não foi possível abrir a área do cliente. O endereço dela está no e-mail da sua compra.',
    contactTitle: 'Falar com o vendedor',
    contactText: 'Responda ao e-mail da sua compra e inclua estes dados:',
    details: { reason: 'Motivo', license: 'Número da licença', hwid: 'ID de hardware (HWID)' },
    copyDetails: 'Copiar dados',
    openArea: 'Abrir a área do cliente',
    clockTitle: 'Conferir o relógio',
    clockText:
      'Acerte a data, a hora e o fuso horário deste computador, de preferência automaticamente. Depois verifique de novo.',
    clockOpened: 'As configurações do relógio foram abertas.',
    clockLocal: 'Este computador',
    clockKnown: 'Última hora conhecida do portal',
    checkAgain: 'Verificar de novo',
    unknown: 'Desconhecida',
  },
);
