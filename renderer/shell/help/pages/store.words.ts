import { defineWords } from '#contracts/kernel/words.ts';

/** Help for the pages of the group "Store". */
export const storeHelp = defineWords(
  {
    store: {
      purpose:
        'What members can buy for their points. A product defines what the game gives, what it costs and how often members can buy it.',
      first: {
        title: 'Create a product',
        how: 'Choose New product, start from a template, add its contents and set the price. Leave it off until it is ready. Commands need someone who may use the console of every server of the product.',
      },
      second: {
        title: 'Test it',
        how: 'Open the product and place a free test order. Test orders do not count as sales.',
      },
      third: {
        title: 'Change a price for a time',
        how: 'Open the product and add a price under Price schedule, with a start and an end. After that the usual price applies again.',
      },
    },
    orders: {
      purpose:
        'Every purchase: who bought what, what it cost and how far it has come. Each order is charged once.',
      first: {
        title: 'Order for a member',
        how: 'Choose New order, the member and the products. For a gift, choose the recipient.',
      },
      second: {
        title: 'See why something has not arrived',
        how: 'Open the order. Each delivery shows what it waits for and what the game replied.',
      },
      third: {
        title: 'Refund an order',
        how: 'Open it and choose Refund. Pending deliveries are cancelled first, then the points go back.',
      },
    },
    shops: {
      purpose:
        'Shops outside of Castellan that take money: Tebex, Stripe or your own site. What people buy there is delivered in the game, once.',
      first: {
        title: 'Connect a shop',
        how: 'Choose Add shop, copy the webhook URL into the shop, and enter the shop’s secret here.',
      },
      second: {
        title: 'Assign products',
        how: 'Choose a store product for each shop product. Waiting orders then continue.',
      },
      third: {
        title: 'Decide an order that waits for you',
        how: 'Open it: it shows what is missing, such as the recipient. Choose the recipient and Deliver, or choose Dismiss.',
      },
    },
    deliveries: {
      purpose:
        'Everything that a game has to give, one row each. A delivery counts as delivered only when the game has confirmed it.',
      first: {
        title: 'See what a delivery waits for',
        how: 'Open it. It shows whether it waits for the player, the server or a person, and when the next attempt is.',
      },
      second: {
        title: 'Check how sure it is',
        how: 'Delivered means that it arrived. Unconfirmed means that nothing proves that it arrived; a person decides at the desk.',
      },
      third: {
        title: 'Look at every attempt',
        how: 'The delivery keeps what was sent to the game and what came back, without passwords.',
      },
    },
    desk: {
      purpose:
        'Deliveries whose outcome is unknown, and other cases that a person has to decide. Nothing is delivered twice automatically.',
      first: {
        title: 'Decide a delivery',
        how: 'Ask the player whether it arrived. Then choose Mark as delivered, Send again or Refund.',
      },
      second: {
        title: 'Decide several at once',
        how: 'Select the rows and choose one decision for all of them.',
      },
      third: {
        title: 'Add a rule',
        how: 'If you always decide the same way, add a rule for the server or product. It also decides what waits now.',
      },
    },
    discounts: {
      purpose:
        'Discounts make orders cheaper: automatically, for roles in Discord, or by a code. When several apply, the best one counts.',
      first: {
        title: 'Create a discount code',
        how: 'Choose New discount, enter the code and its order limit, and tell your members.',
      },
      second: {
        title: 'Reward a Discord role',
        how: 'Choose New discount and the role. Members with it get the lower price automatically.',
      },
      third: {
        title: 'End a discount',
        how: 'Edit it, set its end or turn it off. Existing orders are not affected.',
      },
    },
    seasons: {
      purpose:
        'A season follows a wipe: it restores what members bought, and resets balances and limits if you like. You preview everything first.',
      first: {
        title: 'Start a season',
        how: 'Choose New season, the wiped servers and the time of the wipe, check the preview, and choose Start season.',
      },
      second: {
        title: 'Follow its progress',
        how: 'Open the season: each step shows its progress and what it changed.',
      },
      third: {
        title: 'Undo a season',
        how: 'Open it and choose Undo season. It shows what can be undone and what cannot.',
      },
    },
    rewards: {
      purpose:
        'Points that members get without buying: for time online, a first visit, each day, or by a code.',
      first: {
        title: 'Reward time online',
        how: 'Choose New rule, and enter the points, the minutes online and the servers.',
      },
      second: {
        title: 'Hand out reward codes',
        how: 'Choose Create codes: one for everyone, or many that work once. Members redeem them in Discord or in the game’s chat.',
      },
      third: {
        title: 'Let members give points',
        how: 'Choose Open settings, allow gifts of points and set a daily limit.',
      },
    },
    sales: {
      purpose:
        'Sums of the store over a period you choose: orders, points, best sellers and deliveries. Test orders do not count.',
      first: { title: 'Compare weeks', how: 'Choose a period. Long ones are summed by week or month.' },
      second: {
        title: 'Find what sells',
        how: 'Best sellers are listed with items, points and the refund rate.',
      },
      third: {
        title: 'Export the sums',
        how: 'Choose CSV to export what you see, or Table to read it as a table.',
      },
    },
  },
  {
    store: {
      purpose:
        'O que os membros podem comprar com pontos. Um produto define o que o jogo dá, quanto custa e quantas vezes os membros podem comprar.',
      first: {
        title: 'Criar um produto',
        how: 'Escolha Novo produto, comece por um modelo, adicione o conteúdo e defina o preço. Deixe desativado até estar pronto. Comandos precisam de alguém que possa usar o console de cada servidor do produto.',
      },
      second: {
        title: 'Testar o produto',
        how: 'Abra o produto e faça um pedido de teste grátis. Pedidos de teste não contam como vendas.',
      },
      third: {
        title: 'Mudar o preço por um tempo',
        how: 'Abra o produto e adicione um preço em Programação de preços, com início e fim. Depois disso vale de novo o preço normal.',
      },
    },
    orders: {
      purpose:
        'Cada compra: quem comprou o quê, quanto custou e em que ponto está. Cada pedido é cobrado uma vez.',
      first: {
        title: 'Fazer um pedido para um membro',
        how: 'Escolha Novo pedido, o membro e os produtos. Para um presente, escolha o destinatário.',
      },
      second: {
        title: 'Ver por que algo não chegou',
        how: 'Abra o pedido. Cada entrega mostra o que espera e o que o jogo respondeu.',
      },
      third: {
        title: 'Reembolsar um pedido',
        how: 'Abra o pedido e escolha Reembolsar. Entregas pendentes são canceladas primeiro; depois os pontos voltam.',
      },
    },
    shops: {
      purpose:
        'Lojas fora do Castellan que recebem dinheiro: Tebex, Stripe ou o seu site. O que se compra lá é entregue no jogo, uma vez.',
      first: {
        title: 'Conectar uma loja',
        how: 'Escolha Adicionar loja, copie a URL do webhook para a loja e digite aqui o segredo dela.',
      },
      second: {
        title: 'Associar produtos',
        how: 'Escolha um produto da loja para cada produto da loja externa. Pedidos que esperam então continuam.',
      },
      third: {
        title: 'Decidir um pedido que espera por você',
        how: 'Abra o pedido: ele mostra o que falta, como o destinatário. Escolha o destinatário e Entregar, ou escolha Dispensar.',
      },
    },
    deliveries: {
      purpose:
        'Tudo o que um jogo tem de dar, uma linha para cada item. Uma entrega só conta como entregue quando o jogo a confirmou.',
      first: {
        title: 'Ver o que uma entrega espera',
        how: 'Abra a entrega. Ela mostra se espera pelo jogador, pelo servidor ou por uma pessoa, e quando será a próxima tentativa.',
      },
      second: {
        title: 'Conferir a certeza',
        how: 'Entregue quer dizer que chegou. Sem confirmação quer dizer que nada prova que chegou; uma pessoa decide na mesa de decisões.',
      },
      third: {
        title: 'Ver cada tentativa',
        how: 'A entrega guarda o que foi enviado ao jogo e o que voltou, sem senhas.',
      },
    },
    desk: {
      purpose:
        'Entregas com resultado desconhecido e outros casos que uma pessoa tem de decidir. Nada é entregue duas vezes automaticamente.',
      first: {
        title: 'Decidir uma entrega',
        how: 'Pergunte ao jogador se chegou. Depois escolha Marcar como entregue, Enviar de novo ou Reembolsar.',
      },
      second: {
        title: 'Decidir várias de uma vez',
        how: 'Selecione as linhas e escolha uma decisão para todas.',
      },
      third: {
        title: 'Adicionar uma regra',
        how: 'Se a decisão é sempre a mesma, adicione uma regra para o servidor ou o produto. Ela também decide o que espera agora.',
      },
    },
    discounts: {
      purpose:
        'Descontos deixam pedidos mais baratos: automaticamente, para cargos do Discord ou por um código. Quando vários se aplicam, vale o melhor.',
      first: {
        title: 'Criar um código de desconto',
        how: 'Escolha Novo desconto, digite o código e o limite de pedidos e avise os membros.',
      },
      second: {
        title: 'Premiar um cargo do Discord',
        how: 'Escolha Novo desconto e o cargo. Os membros com ele recebem o preço menor automaticamente.',
      },
      third: {
        title: 'Encerrar um desconto',
        how: 'Edite o desconto e defina o fim ou desligue-o. Pedidos existentes não mudam.',
      },
    },
    seasons: {
      purpose:
        'Uma temporada vem depois de um wipe: restaura o que os membros compraram e reinicia saldos e limites se você quiser. Você vê a prévia de tudo antes.',
      first: {
        title: 'Iniciar uma temporada',
        how: 'Escolha Nova temporada, os servidores com wipe e o momento do wipe, confira a prévia e escolha Iniciar temporada.',
      },
      second: {
        title: 'Acompanhar o andamento',
        how: 'Abra a temporada: cada passo mostra o andamento e o que mudou.',
      },
      third: {
        title: 'Desfazer uma temporada',
        how: 'Abra e escolha Desfazer temporada. Ela mostra o que pode ser desfeito e o que não pode.',
      },
    },
    rewards: {
      purpose:
        'Pontos que os membros ganham sem comprar: por tempo online, na primeira visita, a cada dia ou por um código.',
      first: {
        title: 'Recompensar o tempo online',
        how: 'Escolha Nova regra e digite os pontos, os minutos online e os servidores.',
      },
      second: {
        title: 'Distribuir códigos de recompensa',
        how: 'Escolha Criar códigos: um para todos ou vários de uso único. Os membros resgatam no Discord ou no chat do jogo.',
      },
      third: {
        title: 'Deixar membros darem pontos',
        how: 'Escolha Abrir configurações, permita presentes de pontos e defina um limite diário.',
      },
    },
    sales: {
      purpose:
        'Somas da loja no período que você escolher: pedidos, pontos, mais vendidos e entregas. Pedidos de teste não contam.',
      first: {
        title: 'Comparar semanas',
        how: 'Escolha um período. Os longos são somados por semana ou por mês.',
      },
      second: {
        title: 'Descobrir o que vende',
        how: 'Os mais vendidos aparecem com unidades, pontos e a taxa de reembolso.',
      },
      third: {
        title: 'Exportar as somas',
        how: 'Escolha CSV para exportar o que vê ou Tabela para ler como tabela.',
      },
    },
  },
);
