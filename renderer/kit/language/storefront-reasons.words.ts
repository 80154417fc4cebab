import { defineWords } from '#contracts/kernel/words.ts';
import { storefrontReasons } from '#contracts/storefronts/storefront-reasons.ts';

/** Why the store, shops, rewards and seasons refuse something, in the reader's language. */
export const storefrontReasonsWords = defineWords(storefrontReasons, {
  'member-was-erased': (id) => `O membro ${id} foi apagado.`,
  'member-was-merged': (id, into) => `O membro ${id} foi unido ao membro ${into}.`,
  'points-to-self': 'Escolha outro membro para receber os pontos.',
  'cursor-unknown': 'Esta página da lista não existe. Comece pela primeira página.',
  'figures-busy': 'Há relatórios demais sendo carregados. Tente de novo em instantes.',

  'order-points': (total, balance) => `O pedido custa ${total} pontos; a carteira tem ${balance}.`,
  'order-price': (total) => `O pedido agora custa ${total} pontos.`,
  'order-stock': (left) => `Restam ${left} no estoque.`,
  'order-per-member': (most, has) => `O limite é de ${most} por membro; este membro tem ${has}.`,
  'order-per-period-until': (most, days, has, until) =>
    `O limite é de ${most} por membro em ${days} dias; este membro tem ${has}, e o primeiro conta até ${until}.`,
  'order-per-period': (most, days, has) =>
    `O limite é de ${most} por membro em ${days} dias; este membro tem ${has}.`,
  'order-cooldown': (until) => `Este membro pode pedir de novo em ${until}.`,
  'order-too-large': (count, most) => `O pedido geraria ${count} entregas; o limite é ${most}.`,
  'order-unknown': 'Este pedido não existe.',
  'order-line-unknown': 'O pedido não tem este produto.',
  'order-sending': 'Uma entrega está sendo enviada. Tente de novo em instantes.',
  'order-restored-uncertain':
    'O banco de dados foi restaurado, e uma entrega pode ter sido enviada depois daquele backup. Agora ela espera na mesa de decisões.',
  'order-record-away':
    'Uma entrega pode ter sido enviada, e o jogo que tem um registro dela não está respondendo. Tente de novo.',
  'order-unsettled': 'Uma entrega foi enviada, e ainda não está claro se chegou. Tente de novo mais tarde.',
  'test-order-forbidden': 'Você precisa da permissão store.write para fazer um pedido de teste.',
  'sale-not-begun': (at) => `A venda começa em ${at}.`,
  'sale-over': (at) => `A venda terminou em ${at}.`,
  'delivery-failed': 'Uma entrega falhou.',
  'line-unknown': 'Esta parte não existe.',
  'answer-proves-nothing': 'A resposta do jogo não prova nada.',

  'discount-code-unknown': 'Nenhum desconto tem este código.',
  'discount-code-not-yet': 'Este código ainda não vale.',
  'discount-code-ended': 'Este código expirou.',
  'discount-code-used-up': 'Este código atingiu o limite de usos.',
  'discount-code-used': 'Este membro não pode usar este código de novo.',
  'discount-code-role': 'Este código é para membros com certos cargos do Discord.',
  'discount-code-products': 'Este código é para outros produtos.',
  'discount-code-taken': 'Outro desconto já tem este código.',
  'wrong-codes': 'Foram digitados códigos errados demais. Tente de novo mais tarde.',

  'category-changed': 'Os produtos desta categoria mudaram enquanto isso. Carregue-os de novo.',
  'export-too-many': (count, most) => `A loja tem ${count} produtos; uma importação aceita ${most}.`,
  'export-too-large': (size, most) =>
    `O arquivo teria ${size} MB; uma importação aceita ${most}. Arquive produtos que você não vende mais.`,
  'export-too-large-pictures': (size, most) =>
    `O arquivo teria ${size} MB; uma importação aceita ${most}. Exporte sem imagens, ou use imagens menores.`,
  'import-has-faults': 'O arquivo tem erros, então nada foi importado.',
  'picture-unknown': 'Este produto não existe ou não tem imagem.',
  'picture-too-large': (most) => `A imagem tem mais de ${most} KiB.`,
  'picture-too-many-pixels': (most) => `A imagem tem mais de ${most} pixels de largura ou altura.`,
  'picture-damaged': 'A imagem está danificada ou incompleta.',
  'picture-kind': 'O arquivo não é uma imagem PNG, JPEG ou WebP.',
  'item-not-delivered': 'Nenhum pedido de teste entregou um item com este ID.',

  'shop-secrets-full': (most) => `Uma loja externa pode ter ${most} segredos. Remova um primeiro.`,
  'shop-has-orders': 'Esta loja tem pedidos, que são mantidos. Em vez disso, desative-a.',
  'shop-order-has-receiver': 'O pedido não está mais esperando um destinatário.',
  'shop-order-decided': 'O pedido não está mais esperando uma decisão.',
  'shop-order-decided-otherwise': 'O pedido não está mais esperando esta decisão.',

  'season-wiped-later': 'O momento do wipe está no futuro.',
  'season-no-server': 'Nenhum dos servidores escolhidos está em uso.',
  'season-busy': (name) => `A temporada “${name}” ainda está em andamento. Espere até que termine.`,
  'season-stale':
    'Os servidores, os produtos restaurados ou os limites mudaram desde a prévia. Confira a nova prévia e inicie de novo.',
  'season-not-done': 'A temporada ainda não terminou, ou já foi desfeita.',
  'season-later': 'Uma temporada posterior começou nestes servidores. Desfaça-a primeiro.',
  'season-hindered': (members) =>
    `Membros que desde então gastaram pontos, receberam algo ou foram apagados: ${members}.`,
  'season-step-done': 'Este passo já foi feito.',

  'reward-rule-changed': 'A regra mudou enquanto isso. Carregue-a de novo.',
  'reward-rule-kind': 'O tipo de uma regra não pode ser alterado.',
  'reward-codes-changed': 'Os códigos mudaram enquanto isso. Carregue-os de novo.',
  'reward-code-taken': 'Este código já existe. Escolha outro.',
  'reward-code-used': 'Você já usou este código.',
  'reward-code-used-up': 'Este código de recompensa atingiu o limite de usos.',
  'reward-code-elsewhere': 'Este código é para jogadores de outros servidores.',
  'no-daily-reward': 'Não há recompensa diária agora.',
  'gifts-off': 'Aqui os membros não podem dar pontos uns aos outros.',
  'gift-least': (points) => `Dê pelo menos ${points} pontos.`,
  'gift-left': (points) => `Pontos que você ainda pode dar hoje: ${points}.`,
  'gift-to-self': 'Escolha outro membro para o seu presente.',
  'gift-expired': 'A oferta expirou. Comece de novo.',

  'lasting-waits-for-nothing': 'Nada aqui está esperando um comando ou uma decisão.',
  'lasting-over': 'Já terminou.',
});
