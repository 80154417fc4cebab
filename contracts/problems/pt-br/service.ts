import type { ProblemTexts } from '../problem-entry.ts';
import type { serviceProblems } from '../service.ts';

export const serviceProblemsPtBr: Readonly<Record<keyof typeof serviceProblems, ProblemTexts>> = {
  INVALID_REQUEST: {
    title: 'Pedido não compreendido',
    meaning: 'O caminho, a consulta ou o conteúdo não tem o formato documentado.',
    remedy: 'Corrija os campos que `errors` indica.',
  },
  NOT_FOUND: {
    title: 'Não encontrado',
    meaning: 'Não há nada neste endereço.',
    remedy: 'Confira o endereço.',
  },
  METHOD_NOT_ALLOWED: {
    title: 'Método não permitido',
    meaning: 'O endereço existe, mas não aceita este método.',
    remedy: 'Use um dos métodos do cabeçalho Allow.',
  },
  CONFLICT: {
    title: 'Alterado por outra pessoa',
    meaning: 'Houve uma alteração depois da versão em que esta se baseou; nada foi salvo.',
    remedy: 'Leia de novo e refaça a alteração.',
  },
  RUN_AS_SERVICES: {
    title: 'Executado como serviços do Windows',
    meaning:
      'O Castellan desta pasta roda como serviços do Windows; só eles podem ser parados e reiniciados.',
    remedy: 'Use castellan services start, stop ou restart, como administrador.',
  },
  SECRET_UNREADABLE: {
    title: 'Segredo ilegível',
    meaning:
      'Um segredo guardado está cifrado com uma chave que não está configurada, ou o conteúdo cifrado ' +
      'está danificado.',
    remedy:
      'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie, ou digite o segredo de novo.',
  },
  LOG_UNREADABLE: {
    title: 'Arquivos de log ilegíveis',
    meaning: 'A conta que executa a API não consegue ler os arquivos de log ou a pasta onde eles estão.',
    remedy:
      'Dê a essa conta o direito de ler a pasta logs da pasta home e o que há nela; o log da API diz qual é o arquivo.',
  },
  REQUEST_TIMEOUT: {
    title: 'Pedido não terminou a tempo',
    meaning: 'Um pedido começou e o resto não chegou: 10 s para os cabeçalhos, 30 s para o pedido inteiro.',
    remedy: 'Envie o pedido de novo por uma conexão mais rápida.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'Pedido grande demais',
    meaning: 'O conteúdo é maior do que este endereço aceita.',
    remedy: 'Envie menos.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'JSON esperado',
    meaning: 'O conteúdo não está declarado como application/json em UTF-8.',
    remedy: 'Envie JSON com o cabeçalho Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    title: 'Cabeçalhos grandes demais',
    meaning: 'O endereço e os cabeçalhos do pedido somam mais de 16 KiB.',
    remedy: 'Envie menos cabeçalhos; no navegador, apague os cookies deste site.',
  },
  RATE_LIMITED: {
    title: 'Pedidos demais',
    meaning: 'Este endereço fez pedidos vezes demais.',
    remedy: 'Espere o tempo que Retry-After indica.',
  },
  BACKUP_IMPOSSIBLE: {
    title: 'Backup impossível aqui',
    meaning: 'Os arquivos do banco de dados não podem ser lidos de onde a API roda.',
    remedy: 'Faça o backup na máquina e com a conta em que o banco de dados roda.',
  },
  TLS_REQUIRED: {
    title: 'TLS obrigatório',
    meaning: 'A API tem um certificado e só responde a HTTP sem TLS na própria máquina.',
    remedy: 'Use https. Troque qualquer senha ou chave que tenha sido enviada sem criptografia.',
  },
  INTERNAL: {
    title: 'Algo deu errado',
    meaning: 'Uma falha inesperada; a causa está no log, sob o ID do pedido.',
    remedy: 'Tente de novo; se continuar, envie o diagnóstico com o ID do pedido.',
  },
  DATABASE_UNAVAILABLE: {
    title: 'Banco de dados fora do ar',
    meaning: 'O banco de dados não responde no momento.',
    remedy: 'Ele está sendo reiniciado; tente de novo daqui a pouco.',
  },
  API_UNAVAILABLE: {
    title: 'API fora do ar',
    meaning: 'O supervisor está rodando, mas a API por trás dele não responde.',
    remedy: 'Veja castellan status; ela está sendo iniciada ou falhou pelo motivo mostrado ali.',
  },
  DISK_FULL: {
    title: 'Disco cheio',
    meaning: 'Um disco desta máquina está sem espaço, e nada pode ser salvo. O que já foi salvo está seguro.',
    remedy: 'Libere espaço no disco indicado ou mova a pasta de dados para um maior; tudo volta sozinho.',
  },
  SHUTTING_DOWN: {
    title: 'Encerrando',
    meaning: 'O processo está parando e não aceita trabalho novo.',
    remedy: 'Tente de novo daqui a pouco.',
  },
};
