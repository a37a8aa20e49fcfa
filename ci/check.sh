#!/usr/bin/env bash
# Installs mcpgen from this checkout into an environment of its own and checks a server. The inputs are
# environment variables: see action.yml. ACTION is the folder of this checkout.
set -euo pipefail

environment="${RUNNER_TEMP:-$(mktemp -d)}/mcpgen-check"
if [ ! -x "$environment/bin/mcpgen" ]; then
  "${PYTHON:-python3}" -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check "$ACTION"
fi

folder="${FOLDER:-mcp-conformance}"
command=("$environment/bin/mcpgen" check)
[ -z "${TARGET:-}" ] || command+=("$TARGET")
[ -z "${RUN:-}" ] || command+=(--run "$RUN")
[ -z "${PROFILE:-}" ] || command+=(--profile "$PROFILE")
[ -z "${BEARER_ENV:-}" ] || command+=(--bearer-env "$BEARER_ENV")
[ -z "${COMPARE:-}" ] || command+=(--compare "$COMPARE")
[ -z "${SARIF_ARTIFACT:-}" ] || command+=(--sarif-artifact "$SARIF_ARTIFACT")
if [ -n "${OPTIONS:-}" ]; then
  # Words are split and quotes are taken away; nothing is expanded or run.
  while IFS= read -r -d '' word; do
    command+=("$word")
  done < <("$environment/bin/python" -c \
    'import shlex, sys; sys.stdout.write("".join(w + "\0" for w in shlex.split(sys.argv[1])))' "$OPTIONS")
fi
command+=(
  --report "json=$folder/mcp.json" --report "html=$folder/mcp.html" --report "sarif=$folder/mcp.sarif"
  --report "markdown=$folder/mcp.md" --report "junit=$folder/mcp.xml" --badge "$folder/mcp.svg"
)

code=0
"${command[@]}" || code=$?

if [ -n "${GITHUB_OUTPUT:-}" ] && [ -f "$folder/mcp.sarif" ]; then
  {
    echo "sarif=$folder/mcp.sarif"
    echo "report=$folder/mcp.json"
    echo "badge=$folder/mcp.svg"
  } >> "$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$folder/mcp.md" ]; then
  cat "$folder/mcp.md" >> "$GITHUB_STEP_SUMMARY"
fi
exit "$code"
