import type { ShopOrderReason } from '#contracts/shop-order-reasons.ts';
import type { ShopOrderState } from '#contracts/shops.ts';
import { defineWords } from '../../language/define-words.ts';

export const shopOrdersWords = defineWords(
  {
    waiting: 'Waiting for you',
    nothingWaits: 'No order waits for you.',
    all: 'All orders of shops',
    none: 'No order yet',
    noneText: 'Orders appear here as soon as a shop reports one.',
    order: (id: string, shop: string) => `Order ${id} of ${shop}`,
    what: 'Bought',
    receiver: 'For',
    state: 'State',
    filterState: 'State',
    filterShop: 'Shop',
    number: 'Number',
    when: 'Reported',
    toOrder: 'See the order',
    noReceiver: 'not named',
    states: {
      open: 'Under way',
      waiting: 'Waits for the player',
      person: 'Waits for you',
      given: 'Ordered',
      'taken-back': 'Taken back',
      'not-given': 'Not given',
      'set-aside': 'Set aside',
    } satisfies Record<ShopOrderState, string>,
    reasons: {
      'receiver-missing': 'The shop does not say who gets it. Choose the member.',
      'receiver-unknown': 'The receiver that the shop names is not known. Choose the member.',
      'receiver-by-name':
        'The shop names a player by name alone, which anyone could bear. Choose the member.',
      'receiver-several':
        'Its products are for different players. Choose one member, or set it aside and order for each.',
      'receiver-unseen': 'It will be given when the player first joins a server.',
      'product-unmapped': 'These products of the shop are not assigned. Assign them; the order then goes on.',
      'product-refused': 'The store cannot give it. Fix the product, then try again.',
      quantity:
        'The shop reports no product, or a number of pieces that makes no sense. Check it at the shop, then set it aside and order by hand.',
      'part-refunded':
        'A part of it was refunded, and which pieces is not known. Give all of it, or set it aside.',
      'dispute-won':
        'Its dispute is over. Check at the shop who won. If you did, give it again; otherwise set it aside.',
      contradicts: 'The shop reported it twice, differently. Compare with the shop before you give it.',
      'refunds-unseen':
        'It is a subscription. Its refunds and disputes cannot be seen here: take it back yourself if there is one.',
      'not-delivered':
        'It was paid for at the shop and not delivered, and nothing was paid back. Give it again, or refund the buyer at the shop and set it aside.',
      'season-regrant':
        'It was taken back, but a season gives it to the same member again. Refund the order of that season, then try again; or set it aside.',
      'taking-back': 'It is taken back as soon as possible.',
      refunded: 'It was refunded.',
      disputed: 'The buyer disputes the payment.',
      'charged-back': 'The dispute was lost.',
      'nothing-to-give': 'There is nothing to give in a game.',
    } satisfies Record<ShopOrderReason, string>,
    assignProducts: 'Assign the products',
    choose: 'Choose the member',
    chooseTitle: 'Who gets it?',
    shopSays: (receiver: string) => `The shop says: ${receiver}`,
    assign: 'Give',
    give: 'Give it',
    giveAgain: 'Give it again',
    retry: 'Try again',
    dismiss: 'Set aside',
    dismissTitle: (id: string) => `Set the order ${id} aside?`,
    dismissText: 'Castellan gives nothing more for it unless you come back to it.',
    done: 'Done',
    close: 'Close',
  },
  {
    waiting: 'Esperando por você',
    nothingWaits: 'Nenhum pedido espera por você.',
    all: 'Todos os pedidos externos',
    none: 'Nenhum pedido ainda',
    noneText: 'Os pedidos aparecem aqui assim que uma loja informar um.',
    order: (id: string, shop: string) => `Pedido ${id} de ${shop}`,
    what: 'Comprado',
    receiver: 'Para',
    state: 'Situação',
    filterState: 'Situação',
    filterShop: 'Loja',
    number: 'Número',
    when: 'Informado',
    toOrder: 'Ver o pedido',
    noReceiver: 'não informado',
    states: {
      open: 'Em andamento',
      waiting: 'Espera pelo jogador',
      person: 'Espera por você',
      given: 'Pedido feito',
      'taken-back': 'Retirado',
      'not-given': 'Não entregue',
      'set-aside': 'Deixado de lado',
    },
    reasons: {
      'receiver-missing': 'A loja não diz quem recebe. Escolha o membro.',
      'receiver-unknown': 'O destinatário que a loja informa não é conhecido. Escolha o membro.',
      'receiver-by-name': 'A loja só informa o nome do jogador, que qualquer um pode usar. Escolha o membro.',
      'receiver-several':
        'Os produtos são para jogadores diferentes. Escolha um membro, ou deixe de lado e faça um pedido para cada um.',
      'receiver-unseen': 'Será entregue quando o jogador entrar em um servidor pela primeira vez.',
      'product-unmapped':
        'Estes produtos da loja externa não estão associados. Associe-os; então o pedido continua.',
      'product-refused': 'A loja não pode entregá-lo. Corrija o produto e tente de novo.',
      quantity:
        'A loja não informa um produto, ou informa uma quantidade que não faz sentido. Confira na loja, deixe de lado e faça o pedido manualmente.',
      'part-refunded':
        'Uma parte foi reembolsada, e não se sabe quais unidades. Entregue tudo, ou deixe de lado.',
      'dispute-won':
        'A disputa terminou. Confira na loja quem ganhou. Se foi você, entregue de novo; senão, deixe de lado.',
      contradicts: 'A loja o informou duas vezes, de modos diferentes. Compare com a loja antes de entregar.',
      'refunds-unseen':
        'É uma assinatura. Os reembolsos e as disputas dela não podem ser vistos aqui: se houver, retire você mesmo o que foi entregue.',
      'not-delivered':
        'Foi pago na loja externa e não foi entregue, e nada foi devolvido. Entregue de novo, ou reembolse quem comprou na loja e deixe de lado.',
      'season-regrant':
        'Foi retirado, mas uma temporada o dá de novo ao mesmo membro. Reembolse o pedido dessa temporada e tente de novo; ou deixe de lado.',
      'taking-back': 'É retirado assim que possível.',
      refunded: 'Foi reembolsado.',
      disputed: 'O comprador contesta o pagamento.',
      'charged-back': 'A disputa foi perdida.',
      'nothing-to-give': 'Não há nada para dar em um jogo.',
    },
    assignProducts: 'Associar os produtos',
    choose: 'Escolher o membro',
    chooseTitle: 'Quem recebe?',
    shopSays: (receiver: string) => `A loja diz: ${receiver}`,
    assign: 'Entregar',
    give: 'Entregar',
    giveAgain: 'Entregar de novo',
    retry: 'Tentar de novo',
    dismiss: 'Deixar de lado',
    dismissTitle: (id: string) => `Deixar o pedido ${id} de lado?`,
    dismissText: 'O Castellan não entrega mais nada por ele, a não ser que você volte a ele.',
    done: 'Feito',
    close: 'Fechar',
  },
);
