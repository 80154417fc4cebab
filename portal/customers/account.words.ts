import { defineWords } from '#contracts/kernel/words.ts';

/** The frame of the customer area, and the notices that a redirect shows on its target page. */
export const accountWords = defineWords(
  {
    area: 'Customer area',
    licenses: 'Licenses',
    sessions: 'Sessions',
    back: 'Go to your licenses',
    help: (requestId: string) => `If you contact support, give this request ID: ${requestId}`,
    notices: {
      ended: 'Your session has ended. Sign in again.',
      'signed-out': 'You are signed out.',
      'signed-out-everywhere': 'You are signed out everywhere, in browsers and programs.',
      'transfer-requested':
        'Transfer requested. Now activate the license on the new machine. We are sending you a confirmation by e-mail.',
      'transfer-cancelled': 'Transfer cancelled. Your free transfer is still available.',
    },
    noSuchLicense:
      'This license is not in your account. If you have more than one e-mail address, sign in with the other one.',
    staleForm:
      'This form has expired, and nothing was changed. Go back, reload the page and submit it again.',
  },
  {
    area: 'Área do cliente',
    licenses: 'Licenças',
    sessions: 'Sessões',
    back: 'Ir para suas licenças',
    help: (requestId: string) => `Se pedir ajuda, informe este ID da solicitação: ${requestId}`,
    notices: {
      ended: 'Sua sessão terminou. Entre de novo.',
      'signed-out': 'Você saiu.',
      'signed-out-everywhere': 'Você saiu de todos os lugares, em navegadores e programas.',
      'transfer-requested':
        'Transferência solicitada. Agora ative a licença na máquina nova. Enviaremos uma confirmação por e-mail.',
      'transfer-cancelled': 'Transferência cancelada. Sua transferência gratuita continua disponível.',
    },
    noSuchLicense:
      'Esta licença não está na sua conta. Se você tem mais de um endereço de e-mail, entre com o outro.',
    staleForm: 'Este formulário expirou, e nada foi alterado. Volte, recarregue a página e envie-o de novo.',
  },
);
