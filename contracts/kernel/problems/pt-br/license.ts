import type { licenseProblems } from '../license.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const licenseProblemsPtBr: Readonly<Record<keyof typeof licenseProblems, ProblemTexts>> = {
  UNAUTHORIZED: {
    title: 'Licença não aceita',
    meaning: 'A chave é desconhecida, a licença não está ativa ou o token não comprova o proprietário dela.',
    remedy: 'Compare a chave com a do e-mail da sua compra. Se estiver certa, fale com o vendedor.',
  },
  HWID_MISMATCH: {
    title: 'Licença vinculada a outra máquina',
    meaning: 'A licença está vinculada a uma máquina com outro ID de hardware (HWID).',
    remedy:
      'Transfira a licença na área do cliente: Licença, Transferir HWID. Em um contêiner, monte primeiro o machine ID do hospedeiro (-v /etc/machine-id:/etc/machine-id:ro): sem ele, cada reconstrução é uma máquina nova e gastaria a sua transferência gratuita.',
  },
  REVOKED: {
    title: 'Licença revogada',
    meaning: 'O vendedor revogou esta licença em definitivo, por exemplo depois de um reembolso.',
    remedy: 'Compre uma nova licença ou, se for um engano, fale com o vendedor.',
  },
  SUSPENDED: {
    title: 'Licença suspensa',
    meaning: 'O vendedor suspendeu esta licença temporariamente.',
    remedy:
      'Fale com o vendedor. O Castellan continua automaticamente quando a licença estiver ativa de novo.',
  },
  EXPIRED: {
    title: 'Licença vencida',
    meaning: 'A data de validade da licença já passou.',
    remedy: 'Renove a licença na área do cliente. O Castellan então continua automaticamente.',
  },
  LICENSE_REQUIRED: {
    title: 'Nenhuma licença ativada',
    meaning: 'Nenhuma licença foi ativada nesta máquina ainda.',
    remedy: 'Ative uma no assistente de licença ou execute: castellan license activate',
  },
  LICENSE_GRACE_ENDED: {
    title: 'A carência acabou',
    meaning: 'Não foi possível alcançar o portal de licenças durante toda a carência.',
    remedy: 'Restabeleça a conexão com o portal e execute: castellan license check',
  },
  LICENSE_WRONG_ENVIRONMENT: {
    title: 'Licença de outro portal',
    meaning: 'A licença foi assinada por uma chave que LICENSE_SERVER_PUBLIC_KEY não confirma.',
    remedy: 'Use o LICENSE_SERVER_PUBLIC_KEY e o LICENSE_SERVER_URL que vieram com esta versão.',
  },
  LICENSE_RECORD_UNUSABLE: {
    title: 'Licença não utilizável nesta máquina',
    meaning: 'O license.json foi copiado de outra máquina ou editado, ou o hardware mudou demais.',
    remedy: 'Ative a licença de novo. Se o hardware mudou, transfira-a primeiro.',
  },
  HWID_UNAVAILABLE: {
    title: 'Nenhum ID de hardware utilizável',
    meaning: 'Esta máquina não tem um ID de hardware (HWID) ao qual uma licença possa ser vinculada.',
    remedy:
      'Dê à máquina virtual um machine ID ou SMBIOS UUID único e inicie de novo. Em um contêiner, monte o do hospedeiro, pois o de uma imagem é igual em toda parte: -v /etc/machine-id:/etc/machine-id:ro',
  },
  CLOCK_ROLLED_BACK: {
    title: 'Relógio atrasado',
    meaning: 'O relógio desta máquina está mais de 10 minutos atrás da última verificação da licença.',
    remedy: 'Acerte o relógio. A licença então volta a ficar ativa.',
  },
  CLOCK_AHEAD: {
    title: 'O relógio parece adiantado',
    meaning:
      'O relógio deste computador parece estar adiantado, e por isso a licença parece mais antiga do que é.',
    remedy:
      'Acerte o relógio. Se ele estiver certo, restabeleça a conexão com o portal e execute: castellan license check',
  },
  CLUSTER_LIMIT: {
    title: 'Limite de clusters atingido',
    meaning: 'Seu plano não inclui mais clusters.',
    remedy: 'Arquive um cluster ou faça upgrade do plano.',
  },
  TRANSFER_REFUSED: {
    title: 'Transferência não disponível agora',
    meaning:
      'A licença não está ativa, não está vinculada a uma máquina, já está vinculada a esta, ou a transferência gratuita dos últimos 30 dias já foi usada.',
    remedy: 'Espere a próxima transferência gratuita, ou peça uma ao vendedor.',
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
