import { type Language, plural } from '#contracts/kernel/language.ts';
import type { OrderRefusalWhy } from '#contracts/store/orders.ts';

/** A product in a list. */
const called = (name: string, code: string | null) => (code === null ? name : `${name} (${code})`);
const times = (quantity: number, name: string) => (quantity === 1 ? name : `${quantity}x ${name}`);

const pointsEn = (count: number) => plural.en(count, 'point', 'points');
const pointsPt = (count: number) => plural.pt(count, 'ponto', 'pontos');
const numberEn = (count: number) => count.toLocaleString('en');
const numberPt = (count: number) => count.toLocaleString('pt-BR');

/** One line each; names are cut, so that a number at the end is always in it. */
const en = {
  noPrivate: (name: string) => `${name}: private messages do not work on this server, so nothing was done.`,
  times,
  /** @param price null: none is left */
  entry: (place: number, name: string, code: string | null, price: number | null) =>
    `${place}) ${called(name, code)} ${price === null ? 'sold out' : numberEn(price)}`,
  page: (page: number, pages: number, entries: string) => `Shop ${page}/${pages}: ${entries}`,
  /** After a page. @param more what shows the next one; null: it is the last */
  pageHint: (buy: string, more: string | null) =>
    `. Buy: ${buy} CODE${more === null ? '' : `. More: ${more}`}`,
  nothingForSale: 'Nothing is for sale here now.',
  noSuchPage: (pages: number) => (pages === 1 ? 'There is one page.' : `There are ${pages} pages.`),
  howToBuy: (buy: string, shop: string) => `Type ${buy} CODE, or ${buy} CODE 2 for two. Codes: ${shop}`,
  noProduct: (shop: string) => `There is no such product here. See ${shop}`,
  severalProducts: (shop: string) => `Several products match that. Type the code from ${shop}`,
  quantityRange: (most: number) => `The amount must be 1 to ${numberEn(most)}.`,
  buyQuestion: (what: string, total: number, typed: string) =>
    `${what}: ${pointsEn(total)}. To buy it, type ${typed}`,
  priceChanged: (what: string, total: number, typed: string) =>
    `The price has changed. ${what}: ${pointsEn(total)} now. To buy it, type ${typed}`,
  buying: (what: string, total: number) => `You are buying ${what} for ${pointsEn(total)}.`,
  bought: (what: string, total: number, balance: number) =>
    `Bought ${what} for ${pointsEn(total)}. You have ${numberEn(balance)} left.`,
  alreadyBought: (what: string, total: number, balance: number) =>
    `Already bought: ${what} for ${pointsEn(total)}. You have ${numberEn(balance)} left.`,
  notBought: (why: string) => `Not bought: ${why}`,
  refusal(why: OrderRefusalWhy): string {
    switch (why.kind) {
      case 'points':
        return `it costs ${pointsEn(why.total)}, and you have ${numberEn(why.balance)}.`;
      case 'price':
        return `it costs ${pointsEn(why.total)} now.`;
      case 'stock':
        return why.left === 0 ? 'it is sold out.' : `only ${why.left} left.`;
      case 'per-member':
        return `each player can get ${why.most}, and you have had ${why.has}.`;
      case 'per-period':
        return `you can get ${why.most} in ${plural.en(why.days, 'day', 'days')}, and you have had ${why.has}.`;
      case 'cooldown':
        return 'you can buy it again later.';
      case 'code':
        return 'the code gives no discount.';
      case 'size':
        return 'that is too much at once.';
      case 'said':
        return 'it is not for sale now.';
    }
  },
  refused: 'it cannot be bought now. Ask an admin.',
  wrongNumber: 'This number is wrong or too old. Ask again to get a new one.',
  pending: 'First answer the question from before, or wait a few minutes.',
  tooManyNumbers: 'Too many wrong numbers. Try again later.',
  points: (balance: number) => `You have ${pointsEn(balance)}.`,
  waiting: (count: number) =>
    count === 1 ? 'One delivery is on its way to you.' : `${count} deliveries are on their way to you.`,
  nothingWaits: 'Nothing is waiting for you.',
  waitingForNumber: (count: number, typed: string) =>
    `${count === 1 ? 'One delivery needs' : `${count} deliveries need`} your survivor number. Type ${typed}`,
  numberNeeded: (typed: string) => `To receive it, enter your survivor number first. Type ${typed}`,
  howToRedeem: (redeem: string) => `Type ${redeem} CODE`,
  redeemed: (points: number, name: string, balance: number) =>
    `You got ${pointsEn(points)} (${name}) and have ${numberEn(balance)}.`,
  codeWrong: 'This code is not valid. Check the spelling, and whether it has expired.',
  codeUsed: 'This code is used up, or it is not for you.',
  tooManyCodes: 'Too many wrong codes. Try again later.',
  notRedeemed: 'The code could not be redeemed. Ask an admin.',
  survivorElsewhere: 'Only ARK needs a survivor number.',
  survivorKnown: (how: string) => `Your survivor number is known. For a new survivor: ${how}`,
  survivorHow: (typed: string) =>
    `Your survivor number is on the implant in your inventory. Type it: ${typed} 123456789`,
  survivorQuestion: (number: string, typed: string) =>
    `What you buy goes to survivor ${number} here. If that is you, type ${typed}`,
  survivorStored: 'Your survivor number is stored. What waits for you is on its way.',
  survivorRefused: 'The number could not be stored. Ask an admin.',
  help: (lines: string) => `Commands: ${lines}`,
  helpOf: {
    shop: (typed: string) => `${typed} (what is for sale)`,
    buy: (typed: string) => `${typed} CODE`,
    points: (typed: string) => `${typed} (your balance)`,
    claim: (typed: string) => `${typed} (what waits for you)`,
    redeem: (typed: string) => `${typed} CODE`,
    link: (typed: string) => `${typed} (to Discord)`,
    survivor: (typed: string) => `${typed} (your number)`,
  },
  untrusted: 'Buying and linking by chat are switched off on this server. Use Discord, or ask an admin.',
  newcomer:
    'You are new on this server. Confirm once in Discord with /confirm, ask an admin, or come back tomorrow.',
  tooFast: (seconds: number) =>
    `That was too fast. Wait ${plural.en(seconds, 'second', 'seconds')} before you type the next command.`,
};
export type ChatWords = typeof en;

const ptBr: ChatWords = {
  noPrivate: (name) => `${name}: mensagens privadas não funcionam neste servidor; nada foi feito.`,
  times,
  entry: (place, name, code, price) =>
    `${place}) ${called(name, code)} ${price === null ? 'esgotado' : numberPt(price)}`,
  page: (page, pages, entries) => `Loja ${page}/${pages}: ${entries}`,
  pageHint: (buy, more) => `. Compre: ${buy} CÓDIGO${more === null ? '' : `. Mais: ${more}`}`,
  nothingForSale: 'Nada está à venda aqui agora.',
  noSuchPage: (pages) => (pages === 1 ? 'Há uma página.' : `Há ${pages} páginas.`),
  howToBuy: (buy, shop) => `Digite ${buy} CÓDIGO, ou ${buy} CÓDIGO 2 para dois. Códigos: ${shop}`,
  noProduct: (shop) => `Não há esse produto aqui. Veja ${shop}`,
  severalProducts: (shop) => `Vários produtos combinam com isso. Digite o código que aparece em ${shop}`,
  quantityRange: (most) => `A quantidade deve ser de 1 a ${numberPt(most)}.`,
  buyQuestion: (what, total, typed) => `${what}: ${pointsPt(total)}. Para comprar, digite ${typed}`,
  priceChanged: (what, total, typed) =>
    `O preço mudou. ${what}: agora ${pointsPt(total)}. Para comprar, digite ${typed}`,
  buying: (what, total) => `Você está comprando ${what} por ${pointsPt(total)}.`,
  bought: (what, total, balance) =>
    `Comprado: ${what} por ${pointsPt(total)}. Você ainda tem ${numberPt(balance)}.`,
  alreadyBought: (what, total, balance) =>
    `Já comprado: ${what} por ${pointsPt(total)}. Você ainda tem ${numberPt(balance)}.`,
  notBought: (why) => `Não comprado: ${why}`,
  refusal(why) {
    switch (why.kind) {
      case 'points':
        return `custa ${pointsPt(why.total)} e você tem ${numberPt(why.balance)}.`;
      case 'price':
        return `agora custa ${pointsPt(why.total)}.`;
      case 'stock':
        return why.left === 0 ? 'está esgotado.' : `só ${why.left === 1 ? 'resta' : 'restam'} ${why.left}.`;
      case 'per-member':
        return `cada jogador pode receber ${why.most} e você já recebeu ${why.has}.`;
      case 'per-period':
        return `você pode receber ${why.most} em ${plural.pt(why.days, 'dia', 'dias')} e já recebeu ${why.has}.`;
      case 'cooldown':
        return 'você poderá comprar de novo mais tarde.';
      case 'code':
        return 'o código não dá desconto.';
      case 'size':
        return 'é demais de uma vez.';
      case 'said':
        return 'não está à venda agora.';
    }
  },
  refused: 'não é possível comprar agora. Fale com um administrador.',
  wrongNumber: 'Este número está errado ou expirou. Peça de novo para receber outro.',
  pending: 'Responda antes à pergunta anterior ou espere alguns minutos.',
  tooManyNumbers: 'Muitos números errados. Tente mais tarde.',
  points: (balance) => `Você tem ${pointsPt(balance)}.`,
  waiting: (count) => (count === 1 ? 'Uma entrega está a caminho.' : `${count} entregas estão a caminho.`),
  nothingWaits: 'Nada espera por você.',
  waitingForNumber: (count, typed) =>
    `${count === 1 ? 'Uma entrega precisa' : `${count} entregas precisam`} do seu número de sobrevivente. Digite ${typed}`,
  numberNeeded: (typed) => `Para receber, informe antes seu número de sobrevivente. Digite ${typed}`,
  howToRedeem: (redeem) => `Digite ${redeem} CÓDIGO`,
  redeemed: (points, name, balance) =>
    `Você ganhou ${pointsPt(points)} (${name}) e tem ${numberPt(balance)}.`,
  codeWrong: 'Este código não é válido. Confira a grafia e se já não venceu.',
  codeUsed: 'Este código já foi todo usado, ou não é para você.',
  tooManyCodes: 'Muitos códigos errados. Tente mais tarde.',
  notRedeemed: 'Não foi possível resgatar o código. Fale com um administrador.',
  survivorElsewhere: 'Só o ARK precisa do número do sobrevivente.',
  survivorKnown: (how) => `Seu número de sobrevivente é conhecido. Para um novo: ${how}`,
  survivorHow: (typed) =>
    `Seu número de sobrevivente está no implante do seu inventário. Digite: ${typed} 123456789`,
  survivorQuestion: (number, typed) =>
    `Aqui, o que você compra vai para o sobrevivente ${number}. Se for você, digite ${typed}`,
  survivorStored: 'Seu número de sobrevivente foi salvo. O que espera por você está a caminho.',
  survivorRefused: 'Não foi possível salvar o número. Fale com um administrador.',
  help: (lines) => `Comandos: ${lines}`,
  helpOf: {
    shop: (typed) => `${typed} (o que está à venda)`,
    buy: (typed) => `${typed} CÓDIGO`,
    points: (typed) => `${typed} (seu saldo)`,
    claim: (typed) => `${typed} (o que espera por você)`,
    redeem: (typed) => `${typed} CÓDIGO`,
    link: (typed) => `${typed} (ao Discord)`,
    survivor: (typed) => `${typed} (seu número)`,
  },
  untrusted:
    'Comprar e vincular pelo chat estão desligados neste servidor. Use o Discord ou fale com um admin.',
  newcomer:
    'Você é novo neste servidor. Confirme uma vez no Discord com /confirmar, fale com um admin ou volte amanhã.',
  tooFast: (seconds) =>
    `Rápido demais. Espere ${plural.pt(seconds, 'segundo', 'segundos')} antes de digitar o próximo comando.`,
};

export const chatWords: Readonly<Record<Language, ChatWords>> = { en, 'pt-BR': ptBr };
