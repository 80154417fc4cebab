import { storefrontReasons } from '#contracts/storefront-reasons.ts';
import { defineWords } from './define-words.ts';

/** Why the store, shops, rewards and seasons refuse something, in the reader's language. */
export const storefrontReasonsWords = defineWords(storefrontReasons, {
  'member-was-erased': (id) => `O membro ${id} foi apagado.`,
  'member-was-merged': (id, into) => `O membro ${id} foi unido ao membro ${into}.`,
  'points-to-self': 'Pontos só podem ser dados a outro membro.',
  'cursor-unknown': 'Este cursor não vem de nenhuma página desta lista.',
  'figures-busy': 'Há números demais sendo lidos; tente de novo.',

  'order-points': (total, balance) => `O pedido custa ${total} pontos; a carteira tem ${balance}.`,
  'order-price': (total) => `O pedido custa ${total} pontos agora.`,
  'order-stock': (left) => `Restam no estoque: ${left}.`,
  'order-per-member': (most, has) => `Um membro pode ter ${most} no total, e tem ${has}.`,
  'order-per-period-until': (most, days, has, until) =>
    `Um membro pode ter ${most} em ${days} dias, e tem ${has}; o primeiro deles conta até ${until}.`,
  'order-per-period': (most, days, has) => `Um membro pode ter ${most} em ${days} dias, e tem ${has}.`,
  'order-cooldown': (until) => `O próximo pedido deste membro será possível em ${until}.`,
  'order-too-large': (count, most) =>
    `O pedido viraria ${count} entregas; no máximo ${most} são possíveis de uma vez.`,
  'order-unknown': 'Este pedido não existe.',
  'order-line-unknown': 'O pedido não tem esta linha.',
  'order-sending': 'Uma entrega está sendo enviada neste momento; tente de novo.',
  'order-restored-uncertain':
    'O banco de dados foi restaurado, e uma entrega pode ter sido enviada depois daquele backup; agora ela espera na mesa.',
  'order-record-away':
    'Uma entrega pode ter sido enviada, e o jogo, que tem um registro dela, não pode ser consultado agora; tente de novo.',
  'order-unsettled': 'Uma entrega foi enviada, e ainda não se sabe se chegou; tente de novo mais tarde.',
  'test-order-forbidden': 'Um pedido de teste exige a permissão store.write.',
  'sale-not-begun': (at) => `A venda começa em ${at}.`,
  'sale-over': (at) => `A venda terminou em ${at}.`,
  'delivery-failed': 'Uma entrega falhou.',
  'line-unknown': 'Esta linha não existe.',
  'answer-proves-nothing': 'A resposta do jogo não prova nada.',

  'discount-code-unknown': 'Nenhum desconto tem este código.',
  'discount-code-not-yet': 'Este código ainda não vale.',
  'discount-code-ended': 'Este código não vale mais.',
  'discount-code-used-up': 'Este código já foi todo usado.',
  'discount-code-used': 'Este membro não pode usar este código de novo.',
  'discount-code-role': 'Este código é para membros com certos cargos no servidor do Discord.',
  'discount-code-products': 'Este código é para outros produtos.',
  'discount-code-taken': 'Outro desconto já tem este código.',
  'wrong-codes': 'Foram digitados códigos errados demais. Tente de novo mais tarde.',

  'category-changed': 'Os produtos desta categoria mudaram nesse meio-tempo. Carregue-os de novo.',
  'export-too-many': (count, most) => `A loja tem ${count} produtos, e uma importação aceita ${most}.`,
  'export-too-large': (size, most) =>
    `O arquivo teria ${size} MB, e uma importação aceita ${most}. Arquive o que você não vende.`,
  'export-too-large-pictures': (size, most) =>
    `O arquivo teria ${size} MB, e uma importação aceita ${most}. Exporte sem imagens ou reduza-as.`,
  'import-has-faults': 'O arquivo tem erros, e nada foi importado.',
  'picture-unknown': 'Este produto não existe ou não tem imagem.',
  'picture-too-large': (most) => `A imagem tem mais de ${most} KiB.`,
  'picture-too-many-pixels': (most) => `A imagem tem mais de ${most} pixels de lado.`,
  'picture-damaged': 'A imagem está danificada ou incompleta.',
  'picture-kind': 'O arquivo não é PNG, JPEG nem WebP.',
  'item-not-delivered': 'Nenhum item entregue em um pedido de teste tem este id.',

  'shop-secrets-full': (most) => `Uma loja externa tem no máximo ${most} segredos: remova um primeiro.`,
  'shop-has-orders': 'Esta loja tem pedidos, que são mantidos. Em vez disso, desligue-a.',
  'shop-order-has-receiver': 'O pedido não espera mais por um destinatário.',
  'shop-order-decided': 'O pedido não espera mais por uma decisão.',
  'shop-order-decided-otherwise': 'O pedido não espera mais por esta decisão.',

  'season-wiped-later': 'O momento do wipe está no futuro.',
  'season-no-server': 'Nenhum dos servidores escolhidos está em uso.',
  'season-busy': (name) => `A temporada “${name}” ainda está em andamento; espere até que termine.`,
  'season-stale': 'Algo mudou desde a prévia. Confira a nova prévia e comece de novo.',
  'season-not-done': 'A temporada não terminou ou já foi desfeita.',
  'season-later': 'Uma temporada posterior começou nestes servidores; desfaça aquela primeiro.',
  'season-hindered': (members) =>
    `Membros que gastaram pontos ou receberam algo desde então, ou que foram apagados: ${members}.`,
  'season-step-done': 'Este passo já foi feito nesse meio-tempo.',

  'reward-rule-changed': 'A regra foi alterada nesse meio-tempo. Carregue-a de novo.',
  'reward-rule-kind': 'O tipo de uma regra não pode ser alterado.',
  'reward-codes-changed': 'Os códigos foram alterados nesse meio-tempo. Carregue-os de novo.',
  'reward-code-taken': 'Este código já existe: escolha outro.',
  'reward-code-used': 'Você já usou este código.',
  'reward-code-used-up': 'Este código já foi usado o máximo de vezes.',
  'reward-code-elsewhere': 'Este código é para jogadores de outros servidores.',
  'no-daily-reward': 'Não há recompensa diária agora.',
  'gifts-off': 'Aqui os membros não podem dar pontos de presente.',
  'gift-least': (points) => `Um presente tem pelo menos ${points} pontos.`,
  'gift-left': (points) => `Pontos que ainda podem ser dados hoje: ${points}.`,
  'gift-to-self': 'Um presente é para outro membro.',
  'gift-expired': 'A oferta expirou. Comece de novo.',

  'lasting-waits-for-nothing': 'Nada aqui espera por um comando nem por uma decisão.',
  'lasting-over': 'Já terminou.',
});
