import type { ProblemTexts } from '../problem-entry.ts';
import type { storeProblems } from '../store.ts';

export const storeProblemsPtBr: Readonly<Record<keyof typeof storeProblems, ProblemTexts>> = {
  INSUFFICIENT_POINTS: {
    title: 'Pontos insuficientes',
    meaning: 'A carteira do membro tem menos pontos do que isto exige; nada foi alterado.',
    remedy: 'Dê pontos antes, ou compre menos.',
  },
  PRODUCT_NOT_FOR_SALE: {
    title: 'Não está à venda',
    meaning:
      'O produto está desativado, arquivado, fora do período de venda, parado por uma entrega que falhou, ou tem um item que ninguém confirmou ainda.',
    remedy: 'O detalhe diz qual é o caso; altere ou libere o produto na loja.',
  },
  LIMIT_REACHED: {
    title: 'Limite atingido',
    meaning: 'O membro já comprou, ganhou ou deu tanto quanto os limites permitem por enquanto.',
    remedy: 'O detalhe diz qual é o limite.',
  },
  OUT_OF_STOCK: {
    title: 'Sem estoque',
    meaning: 'Restam menos unidades deste produto do que foi pedido; nada foi cobrado.',
    remedy: 'Peça menos, ou aumente o estoque na loja.',
  },
  PRICE_CHANGED: {
    title: 'O preço mudou',
    meaning: 'O pedido custa agora outro valor do que se esperava; nada foi cobrado.',
    remedy: 'Veja a prévia de novo e peça pelo novo preço.',
  },
  DISCOUNT_CODE_INVALID: {
    title: 'O código não dá desconto',
    meaning:
      'Nenhum desconto em uso tem este código, ou ele não vale agora, para este membro ou para estes produtos, ou está esgotado; nada foi cobrado.',
    remedy: 'A prévia diz qual é o caso. Peça sem o código, ou com outro.',
  },
  MEMBER_GONE: {
    title: 'Membro unido ou apagado',
    meaning: 'O membro foi unido a outro, ou apagado, nesse meio-tempo; nada foi alterado.',
    remedy: 'Leia o membro de novo: um membro unido leva ao que ficou.',
  },
  MERGE_REFUSED: {
    title: 'Não é possível unir',
    meaning:
      'Os dois são o mesmo membro, ambos têm uma conta do Discord, ou a união não pode mais ser desfeita.',
    remedy: 'O detalhe diz qual é o caso.',
  },
  LINK_CODE_INVALID: {
    title: 'Código inválido',
    meaning: 'O código está errado, já foi usado ou tem mais de dez minutos.',
    remedy: 'Peça um novo código e digite-o dentro de dez minutos.',
  },
  REWARD_CODE_INVALID: {
    title: 'Código inválido',
    meaning: 'Esse código não existe, está desligado, ainda não vale ou não vale mais.',
    remedy: 'Confira como ele está escrito e até quando vale.',
  },
  REWARD_UNAVAILABLE: {
    title: 'Não disponível',
    meaning: 'Não há recompensa diária agora, os membros não podem dar pontos, ou a oferta venceu.',
    remedy: 'Ligue em Recompensas ou nas configurações, ou peça uma nova oferta.',
  },
  DISCORD_ROLE_UNFIT: {
    title: 'Cargo não pode ser usado',
    meaning:
      'O Castellan não dá este cargo do servidor do Discord agora, ou nunca; ou o dá, e por isso ele não pode dar direitos.',
    remedy: 'O detalhe diz por quê: corrija no Discord ou escolha outro cargo.',
  },
  DISCORD_NOT_LINKED: {
    title: 'Conta do Discord não vinculada',
    meaning: 'Nenhum jogador está vinculado à conta do Discord: não há carteira nem a quem entregar.',
    remedy: 'Vincule um jogador com `/link` no Discord.',
  },
  RECEIVER_NOT_LINKED: {
    title: 'Destinatário não vinculado',
    meaning: 'Nenhum jogador está vinculado à conta do Discord que receberia isto; nada foi cobrado.',
    remedy: 'Peça que a pessoa vincule antes um jogador com `/link` no Discord.',
  },
  PRODUCT_INVALID: {
    title: 'Produto impossível',
    meaning: 'Uma linha do produto não pode ser dada pelo jogo, ou seus servidores não são desse jogo.',
    remedy: 'Corrija a linha que o detalhe indica.',
  },
  PICTURE_INVALID: {
    title: 'Imagem que não pode ser usada',
    meaning: 'O arquivo não é PNG, JPEG nem WebP, está danificado, é grande demais ou tem pixels demais.',
    remedy: 'Use um PNG, JPEG ou WebP de no máximo 512 KiB e 2.048 pixels por lado.',
  },
  IDEMPOTENCY_MISMATCH: {
    title: 'Chave usada em outro pedido',
    meaning:
      'Este chamador usou a Idempotency-Key em um pedido com outro conteúdo, ou a loja enviou um evento com ' +
      'este id e outro conteúdo.',
    remedy:
      'Use uma chave nova para cada pedido e um id novo para cada evento; com o mesmo, envie o mesmo conteúdo.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: 'Idempotency-Key inutilizável',
    meaning: 'O cabeçalho está vazio, tem mais de 200 caracteres ou caracteres que não são ASCII imprimível.',
    remedy: 'Envie uma chave aleatória, como um UUID.',
  },
  DELIVERY_STATE: {
    title: 'Não está nesse estado',
    meaning: 'A entrega já terminou, pode já ter sido enviada ou foi reembolsada; nada foi alterado.',
    remedy: 'Leia a entrega de novo; o que ninguém sabe como terminou se decide no balcão.',
  },
  JOB_STATE: {
    title: 'Tarefa em outro estado',
    meaning:
      'Só tarefas que esperam ou falharam podem ser canceladas ou tentadas de novo, e nenhuma entrega reembolsada é tentada de novo.',
    remedy: 'Leia a tarefa de novo.',
  },
};
