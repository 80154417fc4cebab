import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const signInWords = defineWords(
  {
    title: 'Sign in',
    about:
      'See your licenses, transfer one to another machine, or show its key. You need no password: we send you a code by e-mail.',
    email: 'E-mail address',
    emailHint: 'The address you bought your license with.',
    emailFault: 'Enter an e-mail address, such as name@example.com.',
    mailCode: 'E-mail me a code',
    codeTitle: 'Enter the code',
    codeSent: (email: string, minutes: number) =>
      `If ${email} belongs to a customer, we sent it a code. It works once, for ${plural.en(minutes, 'minute', 'minutes')}, in this browser only.`,
    shared:
      'Too many codes were requested for this address. You can also use the latest code with three groups, such as K7WD-3M9P-Q2XR.',
    code: 'Code from the e-mail',
    codeHint: 'For example, K7WD-3M9P. Capitals and the hyphen don’t matter.',
    signIn: 'Sign in',
    noMail: 'No e-mail? Check the spam folder, or',
    another: 'request a new code',
    codeGone: 'This code has expired, was used, or was tried too often. Request a new one.',
    codeWrong: (triesLeft: number) =>
      `This code is wrong. Check the latest e-mail; you have ${plural.en(triesLeft, 'try', 'tries')} left.`,
    tooOften: (minutes: number) =>
      `Too many attempts. Try again in ${plural.en(minutes, 'minute', 'minutes')}.`,
  },
  {
    title: 'Entrar',
    about:
      'Veja suas licenças, transfira uma para outra máquina ou mostre a chave dela. Você não precisa de senha: enviamos um código por e-mail.',
    email: 'Endereço de e-mail',
    emailHint: 'O endereço com que você comprou sua licença.',
    emailFault: 'Digite um endereço de e-mail, como nome@example.com.',
    mailCode: 'Enviar um código por e-mail',
    codeTitle: 'Digite o código',
    codeSent: (email: string, minutes: number) =>
      `Se ${email} for de um cliente, enviamos um código para ele. O código vale uma vez, por ${plural.pt(minutes, 'minuto', 'minutos')}, somente neste navegador.`,
    shared:
      'Foram pedidos códigos demais para este endereço. Você também pode usar o código mais recente com três grupos, como K7WD-3M9P-Q2XR.',
    code: 'Código recebido por e-mail',
    codeHint: 'Por exemplo, K7WD-3M9P. Maiúsculas e o hífen não fazem diferença.',
    signIn: 'Entrar',
    noMail: 'O e-mail não chegou? Confira a pasta de spam ou',
    another: 'peça um novo código',
    codeGone: 'Este código expirou, já foi usado ou foi tentado vezes demais. Peça um novo.',
    codeWrong: (triesLeft: number) =>
      `Código errado. Confira o e-mail mais recente; você ainda tem ${plural.pt(triesLeft, 'tentativa', 'tentativas')}.`,
    tooOften: (minutes: number) =>
      `Tentativas demais. Tente de novo em ${plural.pt(minutes, 'minuto', 'minutos')}.`,
  },
);
