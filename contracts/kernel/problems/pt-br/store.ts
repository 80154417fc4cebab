import type { ProblemTexts } from '../problem-entry.ts';
import type { storeProblems } from '../store.ts';

export const storeProblemsPtBr: Readonly<Record<keyof typeof storeProblems, ProblemTexts>> = {
  INSUFFICIENT_POINTS: {
    title: 'Pontos insuficientes',
    meaning: 'A carteira do membro não tem pontos suficientes. Nada foi alterado.',
    remedy: 'Dê pontos primeiro, ou compre menos.',
  },
  PRODUCT_NOT_FOR_SALE: {
    title: 'Não está à venda',
    meaning:
      'O produto está desativado, arquivado, fora do período de venda, pausado após uma entrega que falhou, ou tem um item não confirmado.',
    remedy: 'Altere o produto na loja, ou coloque-o à venda de novo.',
  },
  RECIPIENT_UNSEEN: {
    title: 'Destinatário não visto neste jogo',
    meaning: 'O destinatário não tem jogador no jogo do produto; um teste só ficaria esperando.',
    remedy: 'Escolha um membro que já jogou em um servidor deste jogo.',
  },
  LIMIT_REACHED: {
    title: 'Limite atingido',
    meaning: 'O membro atingiu um limite de compra ou de presentes.',
    remedy: 'Tente de novo mais tarde, ou altere o limite.',
  },
  OUT_OF_STOCK: {
    title: 'Sem estoque',
    meaning: 'A loja não tem tantas unidades. Nada foi cobrado.',
    remedy: 'Peça menos, ou aumente o estoque na loja.',
  },
  PRICE_CHANGED: {
    title: 'O preço mudou',
    meaning: 'O preço do pedido mudou enquanto isso. Nada foi cobrado.',
    remedy: 'Confira o novo preço e peça de novo.',
  },
  DISCOUNT_CODE_INVALID: {
    title: 'Código de desconto não aceito',
    meaning:
      'O código não existe, expirou, atingiu o limite, ou não é para este membro ou estes produtos. Nada foi cobrado.',
    remedy: 'Peça sem o código, ou com outro.',
  },
  MEMBER_GONE: {
    title: 'Membro unido ou apagado',
    meaning: 'O membro foi unido a outro ou apagado enquanto isso. Nada foi alterado.',
    remedy: 'Abra a lista de membros e escolha o membro de novo.',
  },
  MERGE_REFUSED: {
    title: 'Não é possível unir',
    meaning:
      'Os dois são o mesmo membro, ambos têm uma conta do Discord, ou a união não pode mais ser desfeita.',
    remedy: 'Escolha outro membro, ou desvincule uma conta do Discord primeiro.',
  },
  LINK_CODE_INVALID: {
    title: 'Código não aceito',
    meaning: 'O código está errado, já foi usado ou tem mais de dez minutos.',
    remedy: 'Gere um novo código e digite-o em até dez minutos.',
  },
  REWARD_CODE_INVALID: {
    title: 'Código não aceito',
    meaning: 'O código não existe, está desativado, ainda não vale ou expirou.',
    remedy: 'Confira a grafia e as datas do código.',
  },
  REWARD_UNAVAILABLE: {
    title: 'Não disponível agora',
    meaning: 'Não há recompensa diária, os membros não podem dar pontos uns aos outros, ou a oferta expirou.',
    remedy: 'Ative em Recompensas ou nas configurações, ou comece uma nova oferta.',
  },
  DISCORD_ROLE_UNFIT: {
    title: 'Cargo não utilizável',
    meaning:
      'O Castellan não pode dar este cargo do Discord, ou o dá, e por isso ele não pode ter permissões.',
    remedy: 'Altere o cargo no Discord, ou escolha outro.',
  },
  DISCORD_NOT_LINKED: {
    title: 'Conta do Discord não vinculada',
    meaning:
      'Nenhum jogador está vinculado a esta conta do Discord, por isso ela não tem carteira nem recebe entregas.',
    remedy: 'Vincule um jogador com `/link` no Discord.',
  },
  RECEIVER_NOT_LINKED: {
    title: 'Destinatário não vinculado',
    meaning: 'Nenhum jogador está vinculado à conta do Discord do destinatário. Nada foi cobrado.',
    remedy: 'Peça ao destinatário que vincule um jogador com `/link` no Discord primeiro.',
  },
  PRODUCT_INVALID: {
    title: 'Produto inválido',
    meaning: 'O jogo não pode entregar uma parte do produto, ou os servidores dele são de outro jogo.',
    remedy: 'Corrija a parte indicada.',
  },
  PICTURE_INVALID: {
    title: 'Imagem não aceita',
    meaning: 'O arquivo não é uma imagem PNG, JPEG ou WebP, está danificado ou é grande demais.',
    remedy:
      'Use um PNG, JPEG ou WebP menor: para um produto, no máximo 512 KiB e 2.048 pixels por lado; para o logotipo, 256 KiB e 512 pixels.',
  },
  IDEMPOTENCY_MISMATCH: {
    title: 'Chave usada em outro pedido',
    meaning:
      'Esta Idempotency-Key já foi usada em um pedido com outro conteúdo, ou a loja enviou um evento com o mesmo id e outro conteúdo.',
    remedy:
      'Use uma chave nova para cada pedido e um id novo para cada evento. Só repita uma requisição com o mesmo conteúdo.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: 'Idempotency-Key inválida',
    meaning: 'O cabeçalho está vazio, tem mais de 200 caracteres ou não é ASCII imprimível.',
    remedy: 'Envie uma chave aleatória, como um UUID.',
  },
  DELIVERY_STATE: {
    title: 'Não é possível para esta entrega',
    meaning: 'A entrega já foi concluída, enviada ou reembolsada. Nada foi alterado.',
    remedy: 'Confira o estado atual dela. Entregas sem confirmação se decidem na mesa de decisões.',
  },
  JOB_STATE: {
    title: 'Não é possível para esta tarefa',
    meaning:
      'Só tarefas em espera ou com falha podem ser canceladas ou tentadas de novo, e entregas reembolsadas não podem ser tentadas de novo.',
    remedy: 'Confira o estado atual dela.',
  },
};
