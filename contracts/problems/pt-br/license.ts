import type { licenseProblems } from '../license.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const licenseProblemsPtBr: Readonly<Record<keyof typeof licenseProblems, ProblemTexts>> = {
  UNAUTHORIZED: {
    title: 'Licença não aceita',
    meaning: 'A chave é desconhecida, a licença não está ativa ou o token não comprova o proprietário dela.',
    remedy: 'Compare a chave com a do e-mail de compra; se estiver certa, fale com o vendedor.',
  },
  HWID_MISMATCH: {
    title: 'Licença vinculada a outra máquina',
    meaning: 'A licença está vinculada a uma máquina com outro ID de hardware.',
    remedy: 'Transfira a licença na área do cliente: Licença, Transferir HWID.',
  },
  REVOKED: {
    title: 'Licença revogada',
    meaning: 'O vendedor revogou esta licença em definitivo, por exemplo depois de um reembolso.',
    remedy: 'Compre uma nova licença ou, se for um engano, fale com o vendedor.',
  },
  SUSPENDED: {
    title: 'Licença suspensa',
    meaning: 'O vendedor suspendeu esta licença por um tempo.',
    remedy: 'Fale com o vendedor; a instalação se recupera sozinha assim que a licença for reativada.',
  },
  EXPIRED: {
    title: 'Licença vencida',
    meaning: 'A data de validade da licença já passou.',
    remedy: 'Renove a licença; a instalação se recupera sozinha.',
  },
  LICENSE_REQUIRED: {
    title: 'Nenhuma licença ativada',
    meaning: 'Ainda não foi ativada nenhuma licença nesta máquina.',
    remedy: 'Ative uma no assistente de licença ou com: castellan license activate',
  },
  LICENSE_GRACE_ENDED: {
    title: 'Licença não confirmada a tempo',
    meaning: 'O portal não pôde ser consultado por mais tempo do que os dias de carência permitem.',
    remedy: 'Restabeleça a conexão com o portal e depois use: castellan license check',
  },
  LICENSE_WRONG_ENVIRONMENT: {
    title: 'Licença de outro ambiente',
    meaning: 'O token foi assinado por uma chave que LICENSE_SERVER_PUBLIC_KEY não reconhece.',
    remedy: 'Use o LICENSE_SERVER_PUBLIC_KEY e o LICENSE_SERVER_URL que vieram com esta versão.',
  },
  LICENSE_RECORD_UNUSABLE: {
    title: 'Registro da licença não serve nesta máquina',
    meaning: 'O license.json foi copiado de outra máquina, foi editado ou o hardware mudou demais.',
    remedy: 'Ative a licença de novo; se o hardware mudou, transfira o HWID antes.',
  },
  HWID_UNAVAILABLE: {
    title: 'Nenhum ID de hardware utilizável',
    meaning: 'A máquina não mostra nenhum identificador ao qual uma licença possa ser vinculada.',
    remedy: 'Em uma máquina virtual, defina um machine id ou SMBIOS UUID único e inicie de novo.',
  },
  CLOCK_ROLLED_BACK: {
    title: 'Relógio atrasado',
    meaning: 'O relógio desta máquina está mais de 10 minutos atrás do horário do último token de licença.',
    remedy: 'Acerte o relógio; a licença se recupera sozinha.',
  },
  CLUSTER_LIMIT: {
    title: 'Limite de clusters atingido',
    meaning: 'A licença não permite mais clusters.',
    remedy: 'Arquive um cluster ou faça upgrade da licença.',
  },
  TRANSFER_REFUSED: {
    title: 'A licença não pode ser transferida agora',
    meaning:
      'A licença não está ativa ou não está vinculada, já está nesta máquina, ou a transferência gratuita ' +
      'dos últimos 30 dias já foi usada.',
    remedy:
      'O detalhe diz qual é o caso e quando a próxima transferência é gratuita; o vendedor pode liberar ' +
      'uma antes.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    title: 'Assinatura do webhook inválida',
    meaning:
      'O cabeçalho de assinatura está faltando, foi feito com outro segredo, para outro conteúdo ou a mais ' +
      'de 5 minutos do nosso relógio; ou essa loja não existe.',
    remedy:
      'Compare o segredo de assinatura no gateway com o PURCHASE_WEBHOOK_SECRET_… do portal; para uma loja ' +
      'externa, adicione o segredo de novo em Lojas externas → Segredos. Confira os relógios das duas máquinas.',
  },
};
