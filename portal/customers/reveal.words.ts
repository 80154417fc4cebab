import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

/** Showing the key of a license for a fresh code. */
export const revealWords = defineWords(
  {
    title: 'Show key',
    why: 'Anyone with the key can activate the license. To protect it, we ask for a new code that we send you by e-mail.',
    codeSent: (email: string, minutes: number) =>
      `We sent a code to ${email}. It works once, for ${plural.en(minutes, 'minute', 'minutes')}.`,
    code: 'Code from the e-mail',
    show: 'Show key',
    mailCode: 'E-mail me a code',
    noMail: 'No e-mail?',
    noMailHelp: 'Check the spam folder first. A new code replaces the previous one.',
    another: 'E-mail me a new code',
    keyTitle: 'Your license key',
    once: 'The key is shown once. After you leave or reload this page, you need a new code to see it again. Don’t share it.',
  },
  {
    title: 'Mostrar chave',
    why: 'Qualquer pessoa com a chave pode ativar a licença. Para protegê-la, pedimos um código novo, que enviamos por e-mail.',
    codeSent: (email: string, minutes: number) =>
      `Enviamos um código para ${email}. Ele vale uma vez, por ${plural.pt(minutes, 'minuto', 'minutos')}.`,
    code: 'Código recebido por e-mail',
    show: 'Mostrar chave',
    mailCode: 'Enviar um código por e-mail',
    noMail: 'O e-mail não chegou?',
    noMailHelp: 'Confira primeiro a pasta de spam. Um novo código substitui o anterior.',
    another: 'Enviar um novo código por e-mail',
    keyTitle: 'Sua chave de licença',
    once: 'A chave é mostrada uma única vez. Depois de sair da página ou recarregá-la, você precisa de um novo código para vê-la. Não a compartilhe com ninguém.',
  },
);
