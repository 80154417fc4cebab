import { product } from '#contracts/kernel/product.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const purchaseMailsWords = defineWords(
  {
    issued: {
      subject: `Your ${product.name} license key`,
      thanks: (orderId: string, plan: string) =>
        `Thank you for your order ${orderId}. This is your license key (${plan}):`,
      enter:
        'Enter it in the license wizard, or run this command on the machine and enter the key when asked:',
      unlimited: 'The license does not expire.',
      keep: 'Keep this e-mail and don’t share the key: anyone with the key can activate the license.',
    },
    revoked: {
      subject: `Your ${product.name} license was revoked`,
      why: (orderId: string) =>
        `The payment for your order ${orderId} was refunded or charged back, so its license was revoked. It stops working at its next check.`,
      help: 'If this is a mistake, contact your vendor.',
    },
    ended: {
      subject: `Your ${product.name} subscription has ended`,
      what: (orderId: string) => `The subscription of your order ${orderId} has ended.`,
    },
    validUntil: (moment: string) => `The license is valid until ${moment}.`,
  },
  {
    issued: {
      subject: `Sua chave de licença do ${product.name}`,
      thanks: (orderId: string, plan: string) =>
        `Obrigado pelo seu pedido ${orderId}. Esta é a sua chave de licença (${plan}):`,
      enter:
        'Digite-a no assistente de licença ou execute este comando na máquina e digite a chave quando for pedida:',
      unlimited: 'A licença não expira.',
      keep: 'Guarde este e-mail e não compartilhe a chave com ninguém: qualquer pessoa com ela pode ativar a licença.',
    },
    revoked: {
      subject: `Sua licença do ${product.name} foi revogada`,
      why: (orderId: string) =>
        `O pagamento do seu pedido ${orderId} foi reembolsado ou estornado, e por isso a licença dele foi revogada. Ela deixa de funcionar na próxima verificação.`,
      help: 'Se for um engano, fale com o seu vendedor.',
    },
    ended: {
      subject: `Sua assinatura do ${product.name} terminou`,
      what: (orderId: string) => `A assinatura do seu pedido ${orderId} terminou.`,
    },
    validUntil: (moment: string) => `A licença é válida até ${moment}.`,
  },
);
